/** For addresses that no page has. */
import { Empty, Page } from '../components.tsx'

export const NotFound = () => (
  <Page title="No such page">
    <Empty title="This address has no page">
      <a class="button" href="/">
        All videos
      </a>
    </Empty>
  </Page>
)

/** The dialog that publishes a render. */
import { useEffect, useState } from 'preact/hooks'
import type { PlatformId, Profile, Video } from '../../../packages/client/index.js'
import { useAction } from '../action.ts'
import { ActionProblem, Button, Checkbox, Dialog, Empty, Field, Loaded, Select } from '../components.tsx'
import { platformName } from '../labels.ts'
import { announce } from '../notices.tsx'
import { useQuery } from '../queries.ts'

interface PublishProps {
  video: Video
  onClose: () => void
  onDone: () => void
}

export function Publish({ video, onClose, onDone }: PublishProps) {
  const profiles = useQuery('profiles', (client, options) => client.profiles.list({ limit: 100 }, options))
  return (
    <Dialog title="Publish" onClose={onClose}>
      <Loaded query={profiles} name="profiles">
        {({ data }) =>
          data.some(({ accounts }) => accounts.length > 0) ? (
            <PublishForm video={video} profiles={data} onClose={onClose} onDone={onDone} />
          ) : (
            <Empty title="No account is connected">
              <a class="button primary" href="/accounts">
                Connect an account
              </a>
            </Empty>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function PublishForm({ video, profiles, onClose, onDone }: PublishProps & { profiles: Profile[] }) {
  const { id, brief, publish } = video
  const [profileId, setProfileId] = useState(profiles.find(({ accounts }) => accounts.length > 0)!.id)
  const [chosen, setChosen] = useState<readonly string[]>(publish?.platforms ?? [])
  const [caption, setCaption] = useState(publish?.caption || brief.description || '')
  const accounts = profiles.find((profile) => profile.id === profileId)?.accounts ?? []
  const platforms = chosen.filter((platform) => accounts.some((account) => account.platform === platform))
  const send = useAction(
    (client, input: { profileId: string; platforms: PlatformId[]; caption: string }, options) =>
      client.videos.publish(id, input, options),
    () => {
      announce('The video is being published.')
      onDone()
      onClose()
    },
  )
  const describe = useAction(
    (client, _, options) => client.videos.describe(id, {}, options),
    ({ description }) => setCaption(description),
  )
  useEffect(() => send.reset(), [profileId, chosen])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send.run({ profileId, platforms: platforms as PlatformId[], caption })
      }}
    >
      {profiles.length > 1 && (
        <Select
          label="Profile"
          value={profileId}
          options={profiles.map(({ id, name }) => [id, name] as const)}
          onChange={setProfileId}
        />
      )}
      <fieldset>
        <legend>Accounts</legend>
        {accounts.map(({ id, platform, username, health }) => (
          <Checkbox
            key={id}
            label={`${platformName(platform)} · ${username}${health === 'expired' ? ' (to be reconnected)' : ''}`}
            checked={chosen.includes(platform)}
            onChange={(checked) =>
              setChosen(checked ? [...chosen, platform] : chosen.filter((name) => name !== platform))
            }
          />
        ))}
      </fieldset>
      <Field label="Caption of the posts">
        {(attributes) => (
          <textarea
            {...attributes}
            rows={5}
            maxLength={5000}
            value={caption}
            onInput={({ currentTarget }) => setCaption(currentTarget.value)}
          />
        )}
      </Field>
      <ActionProblem action={send} />
      <ActionProblem action={describe} />
      <div class="row end">
        <Button isRunning={describe.isRunning} onClick={() => void describe.run()}>
          Write a caption
        </Button>
        <Button
          type="submit"
          kind="primary"
          isRunning={send.isRunning}
          disabled={send.isRunning || platforms.length === 0}
        >
          Publish
        </Button>
      </div>
    </form>
  )
}

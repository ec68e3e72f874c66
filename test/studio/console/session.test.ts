/** The part of the console's tests that belongs to `npm test`: sign-in, safety, and a video that a program made. */
import { afterAll, describe, expect, test } from 'vitest'
import { newApiClient } from '../../pipelines/shared-service.ts'
import { callApi } from '../../support/world.ts'
import { chromiumPath, skipped } from '../preview-browser.ts'
import { closeBrowser, openConsole } from './browser.ts'

afterAll(closeBrowser)

describe.skipIf(!chromiumPath)(`the console${skipped}`, () => {
  test('takes the key from the address, keeps it for the tab only, and shows the text of clients as text', async () => {
    const world = await newApiClient()
    const title = '<script>document.title = "ran"</script><img src=x onerror="document.title = `ran`">'
    await callApi('POST', '/videos', { key: world.apiKey, body: { prompt: 'A page', title } })
    const { page, foreign, errors } = await openConsole(world)
    await page.getByRole('link', { name: title }).waitFor()
    expect(page.url()).not.toContain(world.apiKey)
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).toBe('{}')
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(await page.title()).toBe(`${title} · Reelsmith`)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Videos' }).waitFor()
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] })
  })

  test('without a key asks for one, refuses a wrong one in a sentence, and opens the page that was asked for', async () => {
    const { apiKey, baseUrl } = await newApiClient()
    const { page } = await openConsole({ baseUrl, path: '/usage' })
    await page.getByLabel('API key').fill('rs_live_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('does not know this key').waitFor()
    await page.getByLabel('API key').fill(apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Usage and credits' }).waitFor()
  })

  test('inline scripts and frames are refused by its policy', async () => {
    const { baseUrl } = await newApiClient()
    const { page, errors } = await openConsole({ baseUrl })
    await page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'document.title = "ran"'
      document.body.append(script)
    }`)
    expect(await page.title()).not.toBe('ran')
    expect(errors.join()).toContain('Content Security Policy')
  })
})

/** People at work with the console, on a service that runs. `npm run test:studio` runs it. */
import { stat } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { newApiClient } from '../../pipelines/shared-service.ts'
import { givenAccount, tokensFor } from '../../support/given/accounts.ts'
import { respondWithStatus, startTestReceiver } from '../../support/receiver.ts'
import { newKey } from '../../support/world.ts'
import { closeBrowser, openConsole, renderMsMax, skippedJourneys, whyJourneys } from './browser.ts'

afterAll(closeBrowser)

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

describe.skipIf(skippedJourneys)(`the console${whyJourneys}`, () => {
  test(
    'takes a first-time user from an idea to a played and downloaded video',
    async () => {
      const { page, errors, foreign } = await openConsole(await newApiClient())
      await page.getByRole('link', { name: 'Make the first video' }).click()
      await page.getByRole('textbox', { name: 'Idea' }).fill('Why the sky is blue')
      await page.getByText(/^(Costs 10 credits|Free of charge)/).waitFor()
      await page.getByRole('button', { name: 'Make the video' }).click()
      await heading(page, /sky/i)
      await page.getByRole('progressbar').first().waitFor()
      await page.getByRole('button', { name: 'Publish' }).waitFor({ timeout: renderMsMax })
      const played = await page.evaluate(`{
      const video = document.querySelector('video')
      video.muted = true
      video.play().then(() => new Promise((resolve) => setTimeout(resolve, 700))).then(() => video.currentTime)
    }`)
      expect(played).toBeGreaterThan(0.2)
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download' }).click()
      const download = await downloading
      expect(download.suggestedFilename()).toMatch(/\.mp4$/)
      expect((await stat(await download.path())).size).toBeGreaterThan(100_000)
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('heading', { name: 'No account is connected' }).waitFor()
      expect({ errors, foreign }).toEqual({ errors: [], foreign: [] })
    },
    2 * renderMsMax,
  )

  test('lets an operator add an endpoint, test it, read a delivery and send it again', async () => {
    const receiver = await startTestReceiver()
    try {
      receiver.answering = respondWithStatus(204)
      const { page } = await openConsole({ ...(await newApiClient()), path: '/webhooks' })
      await page.getByRole('button', { name: 'Add an endpoint' }).click()
      await page.getByLabel('URL').fill(receiver.url)
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByText(/^whsec_/).waitFor()
      await page.getByRole('button', { name: 'I have stored it' }).click()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByText(/acknowledged the test with 204/).waitFor()
      await page.getByRole('link', { name: 'Videos' }).click()
      await page.getByRole('link', { name: 'Make the first video' }).click()
      await page.getByRole('textbox', { name: 'Idea' }).fill('A delivery')
      await page.getByRole('checkbox', { name: 'Render when it is generated' }).uncheck()
      await page.getByRole('button', { name: 'Make the video' }).click()
      await heading(page, /delivery/i)
      await page.getByRole('link', { name: 'Webhooks' }).click()
      const entry = page.locator('details.delivery', { hasText: 'video.created' })
      await entry.getByText('Delivered').waitFor({ timeout: 30_000 })
      await entry.locator('summary').click()
      const sent = receiver.posts.find(({ body }) => body.includes('"video.created"'))!
      expect(JSON.parse((await entry.locator('pre').textContent())!)).toEqual(JSON.parse(sent.body.toString()))
      await entry.getByRole('button', { name: 'Send again' }).click()
      await expect.poll(() => receiver.posts.filter(({ body }) => body.equals(sent.body)).length).toBe(2)
    } finally {
      await receiver.stop()
    }
  })

  test('lets an operator create an automation, give it a schedule and a destination, and pause it', async () => {
    const world = await newApiClient()
    await givenAccount(world, tokensFor(3_600))
    const { page, errors } = await openConsole({ ...world, path: '/automations' })
    await page.getByRole('link', { name: 'Make the first automation' }).click()
    await page.getByRole('textbox', { name: 'Idea' }).fill('A calm thought')
    await page.getByRole('button', { name: 'Create the automation' }).click()
    await page.getByRole('heading', { name: 'Slots' }).waitFor()
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByLabel('Time', { exact: true }).fill('07:15')
    await page.getByRole('button', { name: 'Save the schedule' }).click()
    await page.getByText('Every day at 07:15 (Europe/Berlin)').waitFor()
    await page.getByLabel('Profile').selectOption({ label: 'Test' })
    await page.getByRole('checkbox', { name: 'X', exact: true }).check()
    await page.getByRole('button', { name: 'Save the destination' }).click()
    await page.getByText('The destination is saved.').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.getByText('No slot is next while the automation is paused.').waitFor()
    expect(errors).toEqual([])
  })

  test('creates a key, shows it once, signs in with it, and revokes it', async () => {
    const { baseUrl, workspaceId } = await newApiClient()
    const { apiKey } = await newKey(workspaceId, 'admin')
    const { page } = await openConsole({ baseUrl, apiKey, path: '/keys' })
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('A program')
    await page.getByRole('button', { name: 'Create' }).click()
    const key = (await page.getByText(/^rs_live_\w{20,}/).textContent())!
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(await page.content()).not.toContain(key)
    const other = await openConsole({ baseUrl, apiKey: key, path: '/usage' })
    await heading(other.page, 'Usage and credits')
    await page.getByRole('listitem').filter({ hasText: 'A program' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await other.page.evaluate('dispatchEvent(new Event("online"))')
    await other.page.getByRole('alert').getByText('no longer accepts this key').waitFor()
  })

  test('works by keyboard alone, from the sign-in to a video that is made and deleted', async () => {
    const { baseUrl, apiKey } = await newApiClient()
    const { page } = await openConsole({ baseUrl })
    /** Presses Tab until an element has the focus. */
    const reach = async (target: Locator) => {
      const focused = target.and(page.locator(':focus'))
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press('Tab')
        if ((await focused.count()) > 0) return
      }
      throw new Error(`${target} is not reached by Tab.`)
    }
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await reach(page.getByLabel('API key'))
    await page.keyboard.type(apiKey)
    await page.keyboard.press('Enter')
    await heading(page, 'Videos')
    await page.getByRole('link', { name: 'Make the first video' }).waitFor()
    await reach(page.getByRole('link', { name: 'Make the first video' }))
    await page.keyboard.press('Enter')
    await heading(page, 'New video')
    await page
      .getByRole('radio', { name: /Clara|female|male/ })
      .first()
      .waitFor()
    await reach(page.getByRole('textbox', { name: 'Idea' }))
    await page.keyboard.type('By keyboard')
    await reach(button('Make the video'))
    await page.keyboard.press('Enter')
    await heading(page, /keyboard/i)
    await reach(button('More'))
    await page.keyboard.press('Enter')
    await reach(button('Delete'))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Delete this video?' }).waitFor()
    await reach(button('Delete'))
    await page.keyboard.press('Enter')
    await page.getByText('The video is deleted.').waitFor()
    await heading(page, 'Videos')
  })

  test('opens a second tab without signing in again, and signs out of both', async () => {
    const { page } = await openConsole(await newApiClient())
    await heading(page, 'Videos')
    const second = await page.context().newPage()
    await second.goto(page.url())
    await heading(second, 'Videos')
    await second.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await page.reload()
    await page.getByLabel('API key').waitFor()
  })
})

/**
 * THE TABLE: every route of the API, one export each, in one file per feature. It drives the CDK routes, the local server,
 * validation, the clients in `packages/`, the OpenAPI document, `docs/reference/routes.md` and the generated tests. There is no second list.
 */
export * from './routes/automations.ts'
export * from './routes/events.ts'
export * from './routes/jobs.ts'
export * from './routes/keys.ts'
export * from './routes/profiles.ts'
export * from './routes/quotes.ts'
export * from './routes/scenes.ts'
export * from './routes/timelines.ts'
export * from './routes/uploads.ts'
export * from './routes/videos.ts'
export * from './routes/webhooks.ts'
export * from './routes/workspace.ts'

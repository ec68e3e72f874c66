/** `mcp config`: the configuration of an MCP client. It refers to the key, and never contains it. */

/** @import { Command } from '../types.js' */

const keyName = 'REELSMITH_API_KEY'

/** @typedef {{ url: string, workspace: Record<string, string> }} Server The headers of the workspace. */
/** @typedef {{ file: string, config: (server: Server) => object | string }} McpClient */

/** @param {Server} server @param {string} key How the client refers to an environment variable. */
const headers = ({ workspace }, key) => ({ Authorization: `Bearer ${key}`, ...workspace })

/** The file of each client, and what belongs into it. @type {Record<string, McpClient>} */
const clients = {
  claude: {
    file: '.mcp.json in the project (Claude Code)',
    config: (server) => {
      const reelsmith = { type: 'http', url: server.url, headers: headers(server, `\${${keyName}}`) }
      return { mcpServers: { reelsmith } }
    },
  },
  codex: {
    file: '~/.codex/config.toml',
    config: ({ url, workspace }) =>
      [
        '[mcp_servers.reelsmith]',
        `url = ${JSON.stringify(url)}`,
        `bearer_token_env_var = "${keyName}"`,
        ...Object.entries(workspace).map(([name, value]) => `http_headers = { "${name}" = ${JSON.stringify(value)} }`),
      ].join('\n'),
  },
  cursor: {
    file: '~/.cursor/mcp.json, or .cursor/mcp.json in the project',
    config: (server) => ({
      mcpServers: { reelsmith: { url: server.url, headers: headers(server, `\${env:${keyName}}`) } },
    }),
  },
  gemini: {
    file: '~/.gemini/settings.json',
    config: (server) => ({
      mcpServers: { reelsmith: { httpUrl: server.url, headers: headers(server, `\${${keyName}}`) } },
    }),
  },
  vscode: {
    file: '.vscode/mcp.json in the project',
    config: (server) => {
      const reelsmith = { type: 'http', url: server.url, headers: headers(server, '${input:reelsmith-key}') }
      const key = { id: 'reelsmith-key', type: 'promptString', description: 'Key of the Reelsmith API', password: true }
      return { inputs: [key], servers: { reelsmith } }
    },
  },
  windsurf: {
    file: '~/.codeium/windsurf/mcp_config.json',
    config: (server) => ({
      mcpServers: { reelsmith: { serverUrl: server.url, headers: headers(server, `\${env:${keyName}}`) } },
    }),
  },
}

/** @type {Command} */
export const mcpCommand = {
  name: 'mcp config',
  summary: 'Print the configuration that connects an MCP client to the API',
  details: [
    'The key is not in it: the client reads REELSMITH_API_KEY from its environment, Visual Studio Code asks for it. ' +
      'On stderr: the file that the configuration belongs into.',
  ],
  examples: ['mcp config claude > .mcp.json', 'mcp config cursor'],
  positionals: [{ name: 'CLIENT', values: Object.keys(clients) }],
  flags: [],
  run: async ({ args, print, connect }) => {
    const { file, config } = /** @type {McpClient} */ (clients[args.positionals[0] ?? ''])
    const { baseUrl, workspaceId } = connect()
    const workspace = /** @type {Record<string, string>} */ (workspaceId ? { 'X-Service-Workspace': workspaceId } : {})
    const value = config({ url: `${baseUrl}/mcp`, workspace })
    print.text(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
    print.note(`This belongs into ${file}.`)
  },
}

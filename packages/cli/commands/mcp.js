/** `mcp config`: the configuration of an MCP client. It refers to the key, and never contains it. */

/** @import { Command } from '../types.js' */

const keyName = 'REELSMITH_API_KEY'

/** @param {string} url @param {string} key How the client refers to an environment variable. */
const server = (url, key) => ({ url, headers: { Authorization: `Bearer ${key}` } })

/** @typedef {{ file: string, config: (url: string) => object | string }} McpClient */

/** The file of each client, and what belongs into it. @type {Record<string, McpClient>} */
const clients = {
  claude: {
    file: '.mcp.json in the project (Claude Code)',
    config: (url) => ({ mcpServers: { reelsmith: { type: 'http', ...server(url, `\${${keyName}}`) } } }),
  },
  codex: {
    file: '~/.codex/config.toml',
    config: (url) => `[mcp_servers.reelsmith]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "${keyName}"`,
  },
  cursor: {
    file: '~/.cursor/mcp.json, or .cursor/mcp.json in the project',
    config: (url) => ({ mcpServers: { reelsmith: server(url, `\${env:${keyName}}`) } }),
  },
  gemini: {
    file: '~/.gemini/settings.json',
    config: (url) => {
      const { headers } = server(url, `\${${keyName}}`)
      return { mcpServers: { reelsmith: { httpUrl: url, headers } } }
    },
  },
  vscode: {
    file: '.vscode/mcp.json in the project',
    config: (url) => ({
      inputs: [{ type: 'promptString', id: 'reelsmith-key', description: 'Key of the Reelsmith API', password: true }],
      servers: { reelsmith: { type: 'http', ...server(url, '${input:reelsmith-key}') } },
    }),
  },
  windsurf: {
    file: '~/.codeium/windsurf/mcp_config.json',
    config: (url) => {
      const { headers } = server(url, `\${env:${keyName}}`)
      return { mcpServers: { reelsmith: { serverUrl: url, headers } } }
    },
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
    const value = config(`${connect().baseUrl}/mcp`)
    print.text(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
    print.note(`This belongs into ${file}.`)
  },
}

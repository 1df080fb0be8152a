// The MCP Inspector's command line: strict mode reports nothing, in each era; calls
// succeed and fail with the exit statuses that it gives them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withHome } from './workflow.mjs';

const launcher = fileURLToPath(new URL('node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url));
/** The Inspector's exit status for a result with isError. */
const toolError = 5;

function inspect(server, era, ...args) {
  const line = [launcher, '--cli', '--quiet', '--format', 'json', '--protocol-era', era, ...args, '--', server.command, ...server.args];
  const { status, stdout, stderr } = spawnSync(process.execPath, line, { encoding: 'utf8', env: server.env, timeout: 120_000 });
  return { status, stderr, envelope: stdout ? JSON.parse(stdout) : undefined };
}

await withHome(async (server) => {
  for (const era of ['legacy', 'modern', 'auto']) {
    const { status, stderr, envelope } = inspect(server, era, '--method', 'tools/list', '--strict');
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '', 'strict mode reports something');
    assert.equal(envelope.schemaFindings, undefined);
    assert.equal(envelope.result.tools.length, 4);
  }
  const found = inspect(server, 'modern', '--method', 'tools/call', '--tool-name', 'forti_discover', '--tool-args-json', '{"what":"devices"}');
  assert.equal(found.status, 0, found.stderr);
  assert.equal(found.envelope.result.structuredContent.ok, true);
  const missing = inspect(server, 'legacy', '--method', 'tools/call', '--tool-name', 'forti_apply', '--tool-args-json', '{"plan_id":"20261015-104512-a1b2c3"}');
  assert.equal(missing.status, toolError, missing.stderr);
  assert.equal(missing.envelope.result.structuredContent.error.code, 'not_found');
});
console.log('MCP Inspector CLI: strict mode reports nothing (legacy, modern, auto)');

// The TypeScript SDK v1: a legacy session.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { checkGreeting, withHome, workflow } from './workflow.mjs';

await withHome(async (server, home) => {
  const client = new Client({ name: 'typescript-sdk-v1', version: '1' });
  const transport = new StdioClientTransport(server);
  let negotiated;
  const setVersion = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    negotiated = version;
    setVersion?.(version);
  };
  await client.connect(transport);
  assert.equal(negotiated, '2025-11-25');
  checkGreeting(client);
  await client.ping();
  await workflow(client, home);
  await client.close();
});
console.log('TypeScript SDK v1, legacy: 2025-11-25, the whole workflow');

// The TypeScript client v2: the modern era, pinned and found by its own probe, and the
// legacy one that is its default.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { checkGreeting, withHome, workflow } from './workflow.mjs';

const modes = [
  { mode: { pin: '2026-07-28' }, era: 'modern', version: '2026-07-28' },
  { mode: 'auto', era: 'modern', version: '2026-07-28' },
  { mode: 'legacy', era: 'legacy', version: '2025-11-25' },
];
for (const { mode, era, version } of modes) {
  await withHome(async (server, home) => {
    const client = new Client({ name: 'typescript-client-v2', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport(server));
    assert.equal(client.getProtocolEra(), era);
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    checkGreeting(client);
    await workflow(client, home);
    await client.close();
  });
  console.log(`TypeScript client v2, ${JSON.stringify(mode)}: ${version}, the whole workflow`);
}

#!/usr/bin/env node
// Not compiled, so that npm finds it when it installs: see bin/client-ts.js of the cli package.
await import('../dist/command.js');

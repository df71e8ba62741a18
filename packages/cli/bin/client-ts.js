#!/usr/bin/env node
// npm links a command when it installs, and only if the file is there: in a fresh clone that is
// before the first build, so the command cannot be a compiled file itself.
await import('../dist/main.js');

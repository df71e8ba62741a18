// npm run bench -- <name> [options]: runs one of the benches, `apiserver` by default.
import { existsSync, readdirSync } from 'node:fs';

const directory = new URL('.', import.meta.url);
const benches = readdirSync(directory).filter((name) =>
  existsSync(new URL(`${name}/run.mjs`, directory)),
);
const [first = ''] = process.argv.slice(2);
const name = first.startsWith('-') || first === '' ? 'apiserver' : first;
if (!benches.includes(name)) {
  console.error(`There is no bench ${name}. There are: ${benches.join(', ')}`);
  process.exit(2);
}
if (name === first) process.argv.splice(2, 1);
await import(new URL(`${name}/run.mjs`, directory).href);

// npm run bench -- <name> [options]: measurements, each in a folder of its own.
import { existsSync, readdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const names = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(`${here}${entry.name}/run.mjs`))
  .map((entry) => entry.name);
const [wanted, ...args] = process.argv.slice(2);

if (wanted === undefined || wanted === '--help') {
  console.log(
    `npm run bench -- <name> [options]\n\n  ${names.join('\n  ')}\n\n--help after a name shows its options; bench/README.md has method and results.`,
  );
  process.exit(0);
}
if (!names.includes(wanted)) {
  console.error(`There is no bench ${JSON.stringify(wanted)}; choose one of: ${names.join(', ')}`);
  process.exit(2);
}
const { status } = spawnSync(process.execPath, [`${here}${wanted}/run.mjs`, ...args], {
  stdio: 'inherit',
});
process.exit(status ?? 1);

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from './failure.mjs';
import { clientBundle, makeBundle, pageBundle } from './bundles.mjs';
import { root, toolNode, toolScript } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { capture } from './run.mjs';
import { vendorYaml } from './vendor.mjs';

/**
 * Compiles what has changed. With nothing to do it takes a tenth of a second.
 * @param {import('./setup-lock.mjs').SetupLock} lock
 */
export async function build(lock) {
  removeOrphans();
  await vendorYaml(lock);
  await withProgress('Building', async () => {
    const tsc = toolScript('typescript/bin/tsc');
    // Not on the Node that runs this: it may have been in what the installation has replaced.
    const { code, output } = await capture(toolNode(), [tsc, '-b'], { lock });
    if (code !== 0) throw new Failure(`The build failed:\n${output.trim()}`);
    await makeBundle(clientBundle, lock);
    await makeBundle(pageBundle, lock);
  });
}

/**
 * The compiler never deletes: a test whose source is gone would keep running from `dist`. So output without a
 * source is removed first.
 */
function removeOrphans() {
  for (const name of readdirSync(join(root, 'packages'))) {
    const dist = join(root, 'packages', name, 'dist');
    if (!existsSync(dist)) continue;
    for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      const source = sourceOf(path);
      const file = join(root, 'packages', name, 'src', source ?? '');
      if (source === undefined || existsSync(file) || existsSync(`${file}x`)) continue;
      rmSync(join(dist, path), { force: true });
    }
  }
}

/**
 * `a/b.d.ts.map` → `a/b.ts`; nothing for what is no compiler output.
 * @param {string} path
 */
export function sourceOf(path) {
  return /\.(?:d\.ts|js)(?:\.map)?$/.test(path)
    ? path.replace(/\.(?:d\.ts|js)(?:\.map)?$/, '.ts')
    : undefined;
}

import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

import { unpackTar } from 'modern-tar/fs';

import { installOnce } from '../../../environments/install.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const packed = join(here, 'node_modules', '@sparticuz', 'chromium', 'bin');
const unpacked = join(here, 'node_modules', '.chromium');

/** Chromium comes packed in an npm package, for one platform only. */
const canUnpack = process.platform === 'linux' && process.arch === 'x64';

/** Where a browser is on other platforms, or if it is given. */
const CANDIDATES = [
  process.env['CLIENT_TS_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Installs playwright-core and a Chromium, the first time, and starts it; returns what is missing if this
 * machine can have none.
 * @returns {Promise<{ browser: import('playwright-core').Browser } | { missing: string }>}
 */
export async function startChromium() {
  const given = CANDIDATES.find((path) => path !== undefined && existsSync(path));
  const isPacked = canUnpack && process.env['CLIENT_TS_CHROMIUM'] === undefined;
  if (!isPacked && given === undefined) {
    return { missing: `needs Chromium for ${process.platform} on ${process.arch}` };
  }
  try {
    await installOnce(here, 'Chromium and playwright-core (about 100 MB, once)', unpack);
  } catch (error) {
    return { missing: `needs Chromium from the npm registry: ${error.message}` };
  }
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: isPacked ? join(unpacked, 'chromium') : given,
    args: ['--no-sandbox', '--disable-gpu', '--no-zygote', '--font-render-hinting=none'],
    env: isPacked ? { ...process.env, ...packedEnvironment() } : process.env,
  });
  return { browser };
}

async function unpack() {
  if (!canUnpack) return;
  mkdirSync(unpacked, { recursive: true });
  await pipeline(
    createReadStream(join(packed, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(join(unpacked, 'chromium'), { mode: 0o755 }),
  );
  for (const name of ['al2023.tar.br', 'fonts.tar.br']) {
    await pipeline(
      createReadStream(join(packed, name)),
      createBrotliDecompress(),
      unpackTar(unpacked),
    );
  }
  rmSync(packed, { recursive: true });
  writeFileSync(
    join(unpacked, 'fonts.conf'),
    `<?xml version="1.0" ?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(unpacked, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(tmpdir(), 'client-ts-fonts')}</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`,
  );
}

/** The libraries and the fonts that came with it: without a font Chromium does not start. */
function packedEnvironment() {
  return { LD_LIBRARY_PATH: join(unpacked, 'lib'), FONTCONFIG_PATH: unpacked };
}

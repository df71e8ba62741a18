import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { loadConfig } from 'client-ts/clientcmd';
import { createTransport } from 'client-ts/transport';

import { findDrift, mendDrift } from './generator.ts';
import { readApiModel } from './extract/api-model.ts';
import { extractFromSource } from './extract/source-tree.ts';
import { loadModelParts, modelDirectory, renderModelFiles } from './model.ts';
import { compareRelease, releaseFile, renderRelease } from './releases.ts';

const usage = `Usage: npm run generate [-- OPTIONS]

Writes every generated file of the repository from the data in packages/codegen/model.

  --check                write nothing; fail and name the files that are not up to date
  --model-from SOURCE    first extract the model from a source tree of Kubernetes (a directory)
                         or, without shapes and field numbers, from a running server (a kubeconfig)
  --release-from TREE    first extract how an older release differs from the model, from its source tree
  --kubernetes VERSION   version of the source tree, such as 1.36.4
  --help                 this text`;

/** The root of the repository, seen from `packages/codegen/dist` and from `packages/codegen/src`. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      check: { type: 'boolean' },
      help: { type: 'boolean' },
      kubernetes: { type: 'string' },
      'model-from': { type: 'string' },
      'release-from': { type: 'string' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const source = values['model-from'];
  if (source !== undefined) await extractModel(source, values.kubernetes);
  const older = values['release-from'];
  if (older !== undefined) await extractRelease(older, values.kubernetes);
  // The generators load the model when they are imported.
  const { generators } = await import('./generators.ts');
  const mends = findDrift(root, generators);
  if (values.check) {
    for (const { kind, path, generator } of mends) console.error(`${kind}: ${path} (${generator})`);
    if (mends.length === 0) console.log('Generated files are up to date.');
    else console.error(`${mends.length} generated files are stale. Run: npm run generate`);
    return mends.length === 0 ? 0 : 1;
  }
  mendDrift(root, mends);
  for (const { kind, path } of mends)
    console.log(`${kind === 'left over' ? 'removed' : 'wrote'} ${path}`);
  console.log(mends.length === 0 ? 'Generated files were up to date.' : `${mends.length} files.`);
  return 0;
}

async function extractModel(source: string, kubernetes: string | undefined): Promise<void> {
  for (const [name, text] of renderModelFiles(await readModelFrom(source, kubernetes))) {
    writeFileSync(new URL(name, modelDirectory), text);
    console.log(`wrote packages/codegen/model/${name}`);
  }
}

async function extractRelease(tree: string, kubernetes: string | undefined): Promise<void> {
  if (kubernetes === undefined) throw new Error('a source tree needs --kubernetes VERSION');
  const release = compareRelease(loadModelParts(), await extractFromSource(tree, kubernetes));
  const name = releaseFile(release);
  mkdirSync(new URL('.', new URL(name, modelDirectory)), { recursive: true });
  writeFileSync(new URL(name, modelDirectory), renderRelease(release));
  console.log(`wrote packages/codegen/model/${name}`);
}

async function readModelFrom(
  source: string,
  kubernetes: string | undefined,
): Promise<Parameters<typeof renderModelFiles>[0]> {
  if (!statSync(source).isDirectory()) {
    await using transport = createTransport(await loadConfig({ kubeconfig: source }));
    return { api: await readApiModel(transport) };
  }
  if (kubernetes === undefined) throw new Error('a source tree needs --kubernetes VERSION');
  return extractFromSource(source, kubernetes);
}

process.exitCode = await main(process.argv.slice(2));

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

type ErrorClass = abstract new (...args: never[]) => Error;

/** The package as it is installed: what `exports` names is in `bundle`, for sources and build alike. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every exported class of errors, by name. */
async function errorClasses(folder: string): Promise<Map<string, ErrorClass>> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { readonly default: string }>;
  };
  const files = Object.values(manifest.exports)
    .flatMap((entry) => (typeof entry === 'string' ? [] : entry.default))
    .filter((file) => !file.includes('*'));
  const modules = await Promise.all(
    files.map(async (file) => {
      const url = pathToFileURL(join(folder, file)).href;
      return (await import(url)) as Record<string, unknown>;
    }),
  );
  const found = modules.flatMap((module) => Object.entries(module)).filter(isErrorClass);
  return new Map(found);
}

function isErrorClass(entry: [string, unknown]): entry is [string, ErrorClass] {
  const [, value] = entry;
  return typeof value === 'function' && value.prototype instanceof Error;
}

describe('instanceof across copies of the package', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-ts-copy-'));
    await cp(join(root, 'package.json'), join(folder, 'package.json'));
    await cp(join(root, 'bundle'), join(folder, 'bundle'), { recursive: true });
    await cp(join(root, 'vendor'), join(folder, 'vendor'), { recursive: true });
    await symlink(join(root, '../../node_modules'), join(folder, 'node_modules'));
  });

  after(() => rm(folder, { recursive: true }));

  it('holds for every exported class of errors, and only where it holds within one copy', async () => {
    const ours = await errorClasses(root);
    const theirs = await errorClasses(folder);
    assert.ok(ours.size >= 29, `only ${ours.size} classes`);
    assert.deepEqual([...theirs.keys()], [...ours.keys()]);
    for (const [name, foreign] of theirs) {
      const error: unknown = Object.create(foreign.prototype as object);
      const own = ours.get(name);
      for (const [asked, known] of ours) {
        assert.notEqual(foreign, known);
        const isKin = own === known || own?.prototype instanceof known;
        assert.equal(error instanceof known, isKin, `a foreign ${name} instanceof ${asked}`);
      }
    }
  });

  it('sets the name of every class, also in the stack', async () => {
    for (const [name, errorClass] of await errorClasses(root)) {
      assert.equal((errorClass.prototype as Error).name, name);
    }
  });
});

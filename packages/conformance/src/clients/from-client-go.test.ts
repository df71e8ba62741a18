import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

const GUIDE = new URL('../../../../docs/guides/from-client-go.md', import.meta.url);

/** Returns the names in the guide, with the module that exports each. */
async function promised(): Promise<{ readonly name: string; readonly from: string }[]> {
  const text = await readFile(GUIDE, 'utf8');
  const rows = text.matchAll(/^\| [^|]+\| ([^|]+)\| +`(client-ts\/[^`]+)` +\|$/gm);
  return Array.from(rows).flatMap(([, names = '', from = '']) =>
    Array.from(names.replaceAll(/`\w+` \(a type\)/g, '').matchAll(/`(\w+)`/g), ([, name = '']) => ({
      name,
      from,
    })),
  );
}

describe('the guide from client-go', () => {
  it('names only what is exported', async () => {
    const names = await promised();
    assert.ok(names.length > 80, `only ${names.length} names were found`);
    const missing: string[] = [];
    for (const { name, from } of names) {
      const module = (await import(from)) as Readonly<Record<string, unknown>>;
      if (!(name in module)) missing.push(`${name} of ${from}`);
    }
    assert.deepEqual(missing, []);
  });
});

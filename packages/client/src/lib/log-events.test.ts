import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LOG_EVENTS } from './log-events.ts';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const DOCUMENT = fileURLToPath(new URL('../../../../docs/observability.md', import.meta.url));

function sourceFiles(): { readonly path: string; readonly text: string }[] {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  return names
    .filter(
      (name) => name.endsWith('.ts') && !/\.test(-d)?\.ts$|(^|[/\\])(test-|api[/\\])/.test(name),
    )
    .filter((name) => !/^lib[/\\](logger|log-events)\.ts$/.test(name))
    .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }));
}

describe('log events', () => {
  it('are the table in docs/observability.md, in the same words', () => {
    const document = readFileSync(DOCUMENT, 'utf8');
    const rows = document.matchAll(/^\| `([a-z][a-z.-]+)` +\| (.*?) +\|$/gm);
    const events = new Map(Array.from(rows, ([, name = '', about = '']) => [name, about]));
    for (const name of events.keys()) if (!(name in LOG_EVENTS)) events.delete(name);
    assert.deepEqual(Object.fromEntries(events), LOG_EVENTS);
  });

  it('are all logged somewhere', () => {
    const all = sourceFiles()
      .map(({ text }) => text)
      .join('\n');
    // The logger itself logs this one.
    const others = Object.keys(LOG_EVENTS).filter(
      (name) => name !== 'logger.level' && name !== 'controller.log',
    );
    for (const name of others) assert.ok(all.includes(`'${name}'`), `${name} is never logged`);
  });

  it('are named by every call of a logger', () => {
    const nameless = sourceFiles().flatMap(({ path, text }) =>
      Array.from(
        text.matchAll(/\blogger(?:\.(?:debug|info|warn|error)|\[[^\]]+\])\(/g),
        ({ index }) => {
          const call = text.slice(index, text.indexOf(');', index));
          return call.includes('event: ') ? [] : `${path}: ${call}`;
        },
      ).flat(),
    );
    assert.deepEqual(nameless, []);
  });
});

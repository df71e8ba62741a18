/**
 * Files of sessions for the tests of the page.
 */
import { readFileSync } from 'node:fs';

const SAMPLE = new URL('../testdata/sample.session', import.meta.url);

/** A session of a small operator, with a hot loop, a denied informer and a lost lease. */
export function sampleSession() {
  return readFileSync(SAMPLE, 'utf8');
}

/** The sample with names that are markup. */
export function hostileSession() {
  const markup = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';
  const hostile = (/** @type {string} */ text) => `${text}${markup}`;
  const names = new Set([
    'informer',
    'controller',
    'queue',
    'key',
    'reason',
    'error',
    'note',
    'message',
    'regarding',
    'name',
    'resource',
    'leader',
    'connection',
    'handler',
    'program',
    'verb',
    'lease',
  ]);
  return sampleSession()
    .trim()
    .split('\n')
    .map((line) =>
      JSON.stringify(
        JSON.parse(line, (name, value) =>
          names.has(name) && typeof value === 'string' && value !== '' ? hostile(value) : value,
        ),
      ),
    )
    .join('\n');
}

/** A session with 10,000 records and 5,000 keys. */
export function largeSession() {
  const [header] = sampleSession().split('\n', 1);
  const { startedAt } = JSON.parse(header ?? '');
  const lines = [header];
  for (let index = 0; index < 5000; index += 1) {
    const at = startedAt + index * 10;
    const common = {
      controller: 'site',
      key: `default/object-${String(index).padStart(4, '0')}`,
      id: index + 1,
      attempt: 1,
      trigger: { kind: 'call' },
    };
    const start = { type: 'reconcile.start', at, seq: index * 2 + 1, queuedMs: 1, ...common };
    const end = {
      type: 'reconcile.end',
      at: at + 5,
      seq: index * 2 + 2,
      result: 'success',
      durationMs: 5,
      requests: [],
      ...common,
    };
    lines.push(JSON.stringify(start), JSON.stringify(end));
  }
  return lines.join('\n');
}

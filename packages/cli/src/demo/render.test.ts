import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { stylesFor } from '../frame/styles.ts';
import {
  clockTime,
  counted,
  cut,
  fit,
  oneLine,
  renderPlain,
  renderScreen,
  renderWarning,
  shortAge,
  sparkline,
} from './render.ts';
import { type NodeLine, noPods } from './state.ts';
import { demoState } from './test-state.ts';

const plain = stylesFor({ colors: false });
const colored = stylesFor({ colors: true });
const wide = { columns: 100, rows: 30 };
const colours = /\u001B\[\d+m/g;

describe('renderScreen', () => {
  it('shows the whole state', () => {
    assert.deepEqual(renderScreen(demoState(), wide, plain), [
      'client-ts  simulated cluster at https://127.0.0.1:6443                                     00:01:23',
      '',
      'Pods per node                                   14 running · 4 starting · 1 failing · 1 terminating',
      '  node-1     9  ████████████████████████████████████',
      '  node-2     9  ████████████████████▒▒▒▒▒▒▒▒▓▓▓▓░░░░  2 starting, 1 failing',
      '  node-10    0  cordoned',
      '  (no node)  2  ▒▒▒▒▒▒▒▒  2 starting',
      '',
      'Events  312 seen · 4.3/s  ▁▃▅▆█▆▅',
      '',
      'Latest warnings',
      '   12s  BackOff           pod/web-abc-12345  Back-off restarting failed container web (×3)',
      '    5m  FailedScheduling  pod/api-abc-54321  0/3 nodes are available: 3 Too many pods.',
      '',
      'Informers  pods live 20  nodes live 3  events live 312',
      'Queues     simulation 2  collector 0',
      'Collected  310 events in .client-ts/events.db',
      'kubectl --kubeconfig .kube/client-ts.kubeconfig get pods --namespace shop            Ctrl-C to stop',
    ]);
  });

  it('has the same text with colours', () => {
    const lines = renderScreen(demoState(), wide, colored);
    assert.ok(lines.some((line) => line.includes('\u001B[32m████████')));
    assert.deepEqual(
      lines.map((line) => line.replaceAll(colours, '').trimEnd()),
      renderScreen(demoState(), wide, plain),
    );
  });

  it('shows problems of informers, and dropped events', () => {
    const lines = renderScreen(
      demoState({
        informers: [{ name: 'pods', state: 'denied: may not list', isLive: false, objects: 0 }],
        collection: { place: 'events.db', written: 5, dropped: 2 },
        warnings: [],
        nodes: [],
        unscheduled: noPods,
      }),
      wide,
      plain,
    ).join('\n');
    assert.match(lines, /Informers {2}pods denied: may not list/);
    assert.match(lines, /5 events in events\.db {2}2 dropped/);
    assert.match(lines, /Latest warnings\n {2}none/);
    assert.match(lines, /no nodes yet/);
  });

  it('escapes control sequences of events', () => {
    const message = 'one\ntwo\u001B[2J\u001B]0;title\u0007\u202Ethree';
    const [warning] = demoState().warnings;
    assert.ok(warning);
    const lines = renderScreen(demoState({ warnings: [{ ...warning, message }] }), wide, plain);
    const shown = lines.find((line) => line.includes('BackOff')) ?? '';
    assert.ok(shown.includes(String.raw`one two^[[2J^[]0;title^G\u202ethree`), shown);
  });

  it('counts the nodes that do not fit', () => {
    const nodes = Array.from({ length: 40 }, (_, index): NodeLine => ({
      name: `node-${index}`,
      counts: { ...noPods, running: 2 },
      note: '',
    }));
    const lines = renderScreen(
      demoState({ nodes, unscheduled: noPods }),
      { columns: 80, rows: 24 },
      plain,
    );
    assert.ok(lines.length <= 24);
    assert.ok(lines.includes('  … and 33 more nodes with 66 pods'), lines.join('\n'));
    assert.ok(lines.at(-1)?.startsWith('kubectl'));
  });

  it('fills the terminal', () => {
    const [node] = demoState().nodes;
    const [warning] = demoState().warnings;
    assert.ok(node && warning);
    const nodes = Array.from({ length: 40 }, () => node);
    const warnings = Array.from({ length: 40 }, () => warning);
    for (const rows of [18, 24, 32, 60]) {
      const lines = renderScreen(demoState({ nodes, warnings }), { columns: 100, rows }, plain);
      assert.equal(lines.length, rows);
      assert.match(lines.at(-1) ?? '', /^kubectl .* Ctrl-C to stop$/);
    }
  });

  it('draws long bars to scale', () => {
    const nodes = [
      { name: 'a', counts: { ...noPods, running: 1000 }, note: '' },
      { name: 'b', counts: { ...noPods, running: 500, failing: 1 }, note: '' },
    ];
    const lines = renderScreen(demoState({ nodes, unscheduled: noPods }), wide, plain);
    const lengthOf = (line = ''): number => line.replaceAll(/[^█]/g, '').length;
    const [first, second] = lines.filter((line) => / (?:1000|501) /.test(line));
    assert.ok(lengthOf(first) > 40 && lengthOf(first) < 80, first);
    assert.equal(lengthOf(second), Math.round(lengthOf(first) / 2));
    assert.match(second ?? '', /b {3}501 {2}█+▓ {2}1 failing$/);
  });

  it('never exceeds the terminal', () => {
    const unit = fc.constantFrom('a', 'é', ' ', '\u001B', '\n', '[', '\u202E');
    const text = fc.string({ unit, maxLength: 60 });
    const count = fc.nat({ max: 3000 });
    const counts = fc.record({
      running: count,
      starting: count,
      failing: count,
      terminating: count,
    });
    const arbitrary = fc.record({
      columns: fc.integer({ min: 21, max: 200 }),
      rows: fc.integer({ min: 1, max: 60 }),
      nodes: fc.array(fc.record({ name: text, counts, note: text }), { maxLength: 50 }),
      messages: fc.array(text, { maxLength: 50 }),
      title: text,
      history: fc.array(count, { maxLength: 60 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ columns, rows, nodes, messages, title, history }) => {
        const warnings = messages.map((message) => ({
          atMs: 0,
          reason: message,
          object: message,
          message,
          count: message.length,
        }));
        const events = { seen: 1, perSecond: 1, history };
        const state = demoState({ nodes, warnings, title, events });
        const lines = renderScreen(state, { columns, rows }, plain);
        assert.ok(lines.length <= rows);
        for (const line of lines) {
          assert.ok(line.length < columns, line);
          assert.doesNotMatch(line, /[\n\r\u001B]/);
        }
      }),
    );
  });
});

describe('renderPlain', () => {
  it('formats the state in one line', () => {
    assert.equal(
      renderPlain(demoState()),
      '00:01:23 pods: 14 running, 4 starting, 1 failing | node-1=9 node-2=9 node-10=0 none=2 | events: 312, 4.3/s | waiting: 2',
    );
  });

  it('includes problems', () => {
    const informers = [{ name: 'pods', state: 'stale: no\nroute', isLive: false, objects: 0 }];
    const line = renderPlain(demoState({ informers, nodes: [], unscheduled: noPods }));
    assert.match(line, /no nodes .* \| pods: stale: no route$/);
  });
});

describe('renderWarning', () => {
  it('formats a warning in one line', () => {
    const [warning] = demoState().warnings;
    assert.ok(warning);
    assert.equal(
      renderWarning({ ...warning, message: 'two\nlines' }),
      'Warning BackOff pod/web-abc-12345: two lines (×3)',
    );
  });
});

describe('text helpers', () => {
  it('truncates and pads', () => {
    assert.equal(cut('abcdef', 6), 'abcdef');
    assert.equal(cut('abcdef', 4), 'abc…');
    assert.equal(cut('abcdef', 0), '');
    assert.equal(fit('ab', 4), 'ab  ');
    assert.equal(fit('abcdef', 4), 'abc…');
  });

  it('escapes control characters', () => {
    assert.equal(oneLine('\u001B[31mred\u001B[0m'), '^[[31mred^[[0m');
    assert.equal(oneLine('a\r\nb\tc'), 'a b c');
    assert.equal(oneLine('schön 日本'), 'schön 日本');
  });

  it('formats times', () => {
    assert.equal(clockTime(0), '00:00:00');
    assert.equal(clockTime(3_723_999), '01:02:03');
    assert.equal(clockTime(100 * 3_600_000), '100:00:00');
    assert.deepEqual([-5, 0, 119_999, 120_000, 7_199_999, 7_200_000, 172_800_000].map(shortAge), [
      '0s',
      '0s',
      '119s',
      '2m',
      '119m',
      '2h',
      '2d',
    ]);
  });

  it('formats counts', () => {
    assert.equal(counted(1, 'pod'), '1 pod');
    assert.equal(counted(0, 'pod'), '0 pods');
  });

  it('draws sparklines', () => {
    assert.equal(sparkline([]), '');
    assert.equal(sparkline([0, 0]), '▁▁');
    assert.equal(sparkline([0, 1, 4, 16]), '▁▃▅█');
    assert.equal(sparkline([1]), '█');
  });
});

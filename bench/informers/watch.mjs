// Changes through cache, indices and handlers, as fast as the client takes them.
import { format, median, table } from '../lib/report.mjs';
import { interleave } from './replay.mjs';

const OBJECTS = 10_000;

export async function measureWatch({ subjects, replay, kinds, handlers, indices, events, rounds }) {
  const shapes = [
    ...handlers.map((count) => ({ handlers: count, indices: 1 })),
    ...indices.filter((count) => count !== 1).map((count) => ({ handlers: 1, indices: count })),
    // A handler that reads every field: a lazy object gains nothing.
    { handlers: 1, indices: 1, touch: 1 },
  ];
  for (const kind of kinds) {
    const rows = [];
    for (const shape of shapes) {
      const cases = Object.entries(subjects)
        .filter(([, { hasIndices }]) => hasIndices !== false || shape.indices === 0)
        .filter(([, { needsIndices }]) => needsIndices !== true || shape.indices > 0)
        .filter(([, { needsIndices }]) => needsIndices !== true || shape.touch === undefined)
        .map(([subject, about]) => ({
          name: `${shape.handlers} handlers, ${shape.indices} indices${shape.touch ? ', every field read' : ''}, ${subject}`,
          subject,
          ...about,
        }));
      // Many handlers have many calls of each event.
      const count = Math.ceil(events / (shape.handlers >= 100 ? 5 : 1));
      const results = await interleave(rounds, cases, async ({ command }) => {
        const options = { kind, objects: OBJECTS, events: count, ...shape };
        const { watch } = await replay.run(command, options);
        return { ...watch, perEvent: (watch.cpuMs * 1000) / watch.events };
      });
      const of = (one, field) => median(results.get(one).map((run) => run[field]));
      const peer = cases.find(({ subject }) => subject === 'client-go');
      for (const one of cases) {
        rows.push([
          one.name,
          format(of(one, 'eventsPerSecond')),
          format(of(one, 'perEvent')),
          format(peer && of(one, 'eventsPerSecond') / of(peer, 'eventsPerSecond')),
          format(peer && of(peer, 'perEvent') / of(one, 'perEvent')),
        ]);
      }
    }
    const head = [
      `watch of ${kind}${replay.over}`,
      'events/s',
      'processor, µs/event',
      '× client-go, wall',
      '× processor',
    ];
    console.log(`${table(head, rows)}\n`);
  }
}

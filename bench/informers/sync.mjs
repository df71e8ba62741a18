// From nothing to a full cache: time, processor time, memory, and the longest turn of the event loop.
import { format, median, table } from '../lib/report.mjs';
import { interleave } from './replay.mjs';

export async function measureSync({ subjects, replay, kinds, sizes, rounds }) {
  for (const kind of kinds) {
    const rows = [];
    for (const objects of sizes) {
      const cases = Object.entries(subjects).map(([subject, about]) => ({
        name: `${format(objects)} ${kind}, ${subject}`,
        subject,
        ...about,
      }));
      const results = await interleave(rounds, cases, async ({ command, isProbed }) => {
        const { sync } = await replay.run(command, { kind, objects });
        if (!isProbed) return sync;
        const probed = await replay.run(command, { kind, objects, probe: true });
        const { stallMs, stallCpuMs, delayMs, liveBytes } = probed.sync;
        return { ...sync, stallMs, stallCpuMs, delayMs, liveBytes };
      });
      const of = (one, field) => median(results.get(one).map((run) => run[field]));
      const peer = cases.find(({ subject }) => subject === 'client-go');
      for (const one of cases) {
        const times = (field) => (peer ? of(peer, field) / of(one, field) : undefined);
        rows.push([
          one.name,
          ...[of(one, 'wallMs'), of(one, 'cpuMs'), times('wallMs'), times('cpuMs')].map(format),
          format(of(one, 'peakBytes') / 1e6),
          format(of(one, 'liveBytes') / objects / 1000),
          ...['stallMs', 'stallCpuMs', 'delayMs'].map((field) => format(of(one, field))),
        ]);
      }
    }
    const head = [
      `sync of ${kind}${replay.over}`,
      'wall, ms',
      'processor, ms',
      '× client-go, wall',
      '× processor',
      'peak, MB',
      'live, KB each',
      'longest turn, ms',
      'its processor time, ms',
      'loop delay, ms',
    ];
    console.log(`${table(head, rows)}\n`);
  }
}

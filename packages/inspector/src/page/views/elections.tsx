import type { ElectionRecord } from 'client-ts/observe';
import type { JSX } from 'preact';

import { Empty, Pill, Section } from '../parts/common.tsx';
import { windowEnd } from '../parts/time-canvas.tsx';
import { formatTime } from '../session/format.ts';
import { type Reign, reignsOf } from '../session/reigns.ts';
import { type Moment, spanMs } from '../state.ts';

/** Who led when: one lane per lease on the scale of the time line, and what happened. */
export function Elections({ shown }: { readonly shown: Moment }): JSX.Element {
  const to = windowEnd();
  const from = to - spanMs.value;
  const leases = reignsOf(shown.log, shown.position, shown.at);
  if (leases.size === 0) return <Empty>This program takes part in no leader election.</Empty>;
  return (
    <div class="scroll">
      {Array.from(leases, ([lease, { reigns, records }]) => (
        <Section key={lease} title={lease} isTop>
          <div class="reigns" role="img" aria-label={describe(reigns)}>
            {reigns.map((reign) => (
              <ReignBar key={reign.from} reign={reign} from={from} to={to} />
            ))}
          </div>
          <ul class="log">
            {records
              .filter(({ what }) => what !== 'renewed')
              .slice(-100)
              .toReversed()
              .map((record) => (
                <li key={record.seq}>
                  <time>{formatTime(record.at)}</time>
                  <Pill level={levelOf(record)}>{record.what}</Pill>
                  <span>
                    {record.leader === '' ? 'no leader' : record.leader}
                    {` · term ${record.term}`}
                    {record.error !== undefined && ` · ${record.error}`}
                  </span>
                </li>
              ))}
          </ul>
        </Section>
      ))}
    </div>
  );
}

function ReignBar(props: {
  readonly reign: Reign;
  readonly from: number;
  readonly to: number;
}): JSX.Element | null {
  const { reign, from, to } = props;
  const share = (time: number): number => Math.min(1, Math.max(0, (time - from) / (to - from)));
  const [left, right] = [share(reign.from), share(reign.to)];
  if (right <= left) return null;
  return (
    <span
      class={`reign ${reign.isOwn ? 'is-own' : ''} ${reign.leader === '' ? 'is-vacant' : ''}`}
      style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
      title={reign.leader}
    >
      {reign.leader === '' ? 'no leader' : reign.leader}
    </span>
  );
}

function describe(reigns: readonly Reign[]): string {
  return reigns
    .map(({ from, leader }) => `from ${formatTime(from)} ${leader === '' ? 'no leader' : leader}`)
    .join(', ');
}

function levelOf({ what }: ElectionRecord): 'bad' | 'idle' | 'ok' | 'warn' {
  if (what === 'acquired') return 'ok';
  if (what === 'lost' || what === 'failed') return 'bad';
  return what === 'released' ? 'warn' : 'idle';
}

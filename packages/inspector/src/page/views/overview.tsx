import type { JSX } from 'preact';

import { Empty, Pill, Section } from '../parts/common.tsx';
import { MachinePicture } from '../parts/picture.tsx';
import { href } from '../route.ts';
import { type Finding, findingsOf } from '../session/findings.ts';
import { formatCount, formatDuration, formatRate } from '../session/format.ts';
import type { Level } from '../session/picture.ts';
import { pictureOf } from '../session/picture.ts';
import type { Moment } from '../state.ts';

/** The running machine in one picture, and what needs attention. */
export function Overview({ shown }: { readonly shown: Moment }): JSX.Element {
  const { machine, rates } = shown;
  const findings = findingsOf(shown.machine, shown.at);
  return (
    <div class="overview">
      <Tiles shown={shown} findings={findings} />
      <Section title="The machine" isTop>
        <MachinePicture picture={pictureOf(machine, rates)} />
      </Section>
      <Section
        title="Needs attention"
        isTop
        aside={<span class="muted">{findings.length === 0 ? 'nothing' : findings.length}</span>}
      >
        {findings.length === 0 ? (
          <Empty>Every informer is live, no key fails and nothing waits for long.</Empty>
        ) : (
          <ul class="findings">
            {findings.slice(0, 12).map((finding) => (
              <li key={finding.href + finding.title}>
                <a href={finding.href}>
                  <Pill level={finding.level}>{finding.kind}</Pill>
                  <strong>{finding.title}</strong>
                  <span class="muted">{finding.text}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

function Tiles(props: {
  readonly shown: Moment;
  readonly findings: readonly Finding[];
}): JSX.Element {
  const { machine, rates } = props.shown;
  const [worst] = props.findings;
  const queues = [...machine.controllers.values()].flatMap(({ queue }) => queue ?? []);
  const depth = queues.reduce((sum, queue) => sum + queue.depth, 0);
  const oldest = Math.max(0, ...queues.map(({ oldestMs }) => oldestMs));
  const reconciles = sum(rates.reconciles);
  const failures = sum(rates.failures);
  const rate = (count: number): string => formatRate((count * 1000) / rates.spanMs);
  return (
    <ul class="tiles">
      <Tile
        name="Changes"
        value={rate(sum(rates.changes))}
        note={machine.informers.size === 1 ? '1 informer' : `${machine.informers.size} informers`}
        link={href('informers')}
      />
      <Tile
        name="Waiting keys"
        value={formatCount(depth)}
        note={depth === 0 ? 'nothing waits' : `oldest ${formatDuration(oldest)}`}
        level={oldest > 10_000 ? 'bad' : oldest > 1000 ? 'warn' : 'ok'}
        link={href('queues')}
      />
      <Tile
        name="Reconciles"
        value={rate(reconciles)}
        note={failures === 0 ? 'none failed' : `${formatCount(failures)} failed`}
        level={failures === 0 ? 'ok' : failures * 2 > reconciles ? 'bad' : 'warn'}
        link={href('queues')}
      />
      <Tile
        name="Requests"
        value={rate(rates.requests)}
        note={
          rates.failedRequests === 0
            ? 'none refused'
            : `${formatCount(rates.failedRequests)} failed`
        }
        level={rates.failedRequests === 0 ? 'ok' : 'warn'}
        link={href('requests')}
      />
      <Tile
        name="Attention"
        value={String(props.findings.length)}
        note={worst === undefined ? 'nothing stands out' : `${worst.kind}: ${worst.title}`}
        level={worst?.level ?? 'ok'}
        link={worst?.href ?? href('overview')}
      />
    </ul>
  );
}

function Tile(props: {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly level?: Level;
  readonly link: string;
}): JSX.Element {
  return (
    <li>
      <a class={`tile level-${props.level ?? 'ok'}`} href={props.link}>
        <span class="tile-name">{props.name}</span>
        <span class="tile-value">{props.value}</span>
        <span class="tile-note">{props.note}</span>
      </a>
    </li>
  );
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}

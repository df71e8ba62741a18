import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { formatRate } from '../session/format.ts';
import { type Picture, type Stage } from '../session/picture.ts';
import { layOut, type PlacedEdge, type PlacedNode } from '../session/picture-layout.ts';

const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  server: 'API server',
  informer: 'Informers',
  cache: 'Caches',
  handler: 'Handlers',
  queue: 'Queues',
  worker: 'Workers',
  write: 'Writes',
};

/** The running machine: what flows where, how fast, and where it waits. */
export function MachinePicture({ picture }: { readonly picture: Picture }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const layout = useMemo(() => layOut(picture, width), [picture, width]);
  return (
    <div
      class={`machine ${layout.isVertical ? 'is-vertical' : ''} ${layout.isDense ? 'is-dense' : ''}`}
      ref={frame}
    >
      <div class="machine-space" style={{ height: `${layout.height}px` }}>
        <svg width={layout.width} height={layout.height} aria-hidden="true">
          {layout.edges.map((placed) => (
            <Edge key={`${placed.edge.from} ${placed.edge.to}`} placed={placed} />
          ))}
        </svg>
        {layout.stages.map(({ stage, x, y, width }) => (
          <h3 key={stage} class="stage" style={boxOf({ x, y, width })}>
            {STAGE_NAMES[stage]}
          </h3>
        ))}
        {layout.nodes.map((placed) => (
          <Node key={placed.node.id} placed={placed} />
        ))}
        {layout.rates.map(({ x, y, rate }) => (
          <span key={`${x} ${y}`} class="edge-label" style={{ left: `${x}px`, top: `${y}px` }}>
            {formatRate(rate)}
          </span>
        ))}
      </div>
    </div>
  );
}

function useWidth(frame: { readonly current: HTMLDivElement | null }): number {
  const [width, setWidth] = useState(1080);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return width;
}

function Edge({ placed: { edge, path } }: { readonly placed: PlacedEdge }): JSX.Element {
  const isMoving = edge.rate > 0;
  const width = isMoving ? Math.min(9, 1.5 + Math.log2(1 + edge.rate) * 0.9) : 1.25;
  const pace = edge.rate > 50 ? 'fast' : edge.rate > 5 ? 'middle' : 'slow';
  return (
    <g class={`edge level-${isMoving ? edge.level : 'idle'}`}>
      <path class="edge-bed" d={path} style={{ strokeWidth: `${width}px` }} />
      {isMoving && <path class={`edge-flow ${pace}`} d={path} />}
    </g>
  );
}

function Node({ placed }: { readonly placed: PlacedNode }): JSX.Element {
  const { node } = placed;
  const content = (
    <>
      <span class="hidden">{STAGE_NAMES[node.stage]}</span>
      <span class="node-title">{node.title}</span>
      <span class="node-value">{node.value}</span>
      <span class="node-note">{node.note}</span>
      <span class="node-meter">
        <i style={{ width: `${Math.round(node.backlog * 100)}%` }} />
      </span>
    </>
  );
  const common = {
    class: `node node-${node.stage} level-${node.level}`,
    style: { ...boxOf(placed), height: `${placed.height}px` },
    title: `${node.title}: ${node.note}`,
  };
  return node.href === undefined ? (
    <div {...common}>{content}</div>
  ) : (
    <a {...common} href={node.href}>
      {content}
    </a>
  );
}

function boxOf(place: { x: number; y: number; width: number }): Record<string, string> {
  return { left: `${place.x}px`, top: `${place.y}px`, width: `${place.width}px` };
}

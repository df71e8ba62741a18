import { type Picture, type PictureEdge, type PictureNode, type Stage, STAGES } from './picture.ts';

/** A node with its place: the left upper corner and the size, in pixels. */
export interface PlacedNode {
  readonly node: PictureNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An edge as the data of an SVG path. */
export interface PlacedEdge {
  readonly edge: PictureEdge;
  readonly path: string;
}

/** The rate of an edge, or of all that share a line. */
export interface PlacedRate {
  readonly x: number;
  readonly y: number;
  /** Per second. */
  readonly rate: number;
}

/** A heading of a stage. */
export interface PlacedStage {
  readonly stage: Stage;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A picture whose parts have places. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly isVertical: boolean;
  /** True if there is no room for the notes of nodes. */
  readonly isDense: boolean;
  readonly stages: readonly PlacedStage[];
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly rates: readonly PlacedRate[];
}

/** Below this width the stages are rows instead of columns. */
const ROWS_BELOW = 860;

const NODE_HEIGHT = 62;
const GAP = 14;
/** With more rows than this, nodes are lower and closer. */
const DENSE_ABOVE = 7;
const DENSE = { height: 46, gap: 10 };
const HEADING = 30;
/** The room for the edge that leads from the writes back to the server. */
const RETURN = 44;

/** Gives every part of a picture its place in a width, so that no two overlap. */
export function layOut(picture: Picture, width: number): Layout {
  return width < ROWS_BELOW ? inRows(picture, width) : inColumns(picture, width);
}

function inColumns(picture: Picture, width: number): Layout {
  const columns = STAGES.map((stage) => picture.nodes.filter((node) => node.stage === stage));
  const rows = Math.max(1, ...columns.map((nodes) => nodes.length));
  const isDense = rows > DENSE_ABOVE;
  const size = isDense ? DENSE : { height: NODE_HEIGHT, gap: GAP };
  const body = rows * (size.height + size.gap) - size.gap;
  const column = width / STAGES.length;
  const nodeWidth = Math.min(168, column - 42);
  const centres = new Map<string, number>();
  // Handlers first: they say how much room their informers need.
  const handlers = columns[STAGES.indexOf('handler')] ?? [];
  spread(handlers, size, body, () => undefined, centres);
  const before = ['cache', 'informer', 'server'] as const;
  for (const stage of before) {
    const wish = meanOf(picture, centres, 'to');
    spread(columns[STAGES.indexOf(stage)] ?? [], size, body, wish, centres);
  }
  for (const stage of ['queue', 'worker', 'write'] as const) {
    const wish = meanOf(picture, centres, 'from');
    spread(columns[STAGES.indexOf(stage)] ?? [], size, body, wish, centres);
  }
  const nodes = columns.flatMap((stage, index) =>
    stage.map((node) => ({
      node,
      x: Math.round(index * column + (column - nodeWidth) / 2),
      y: Math.round(HEADING + (centres.get(node.id) ?? 0) - size.height / 2),
      width: Math.round(nodeWidth),
      height: size.height,
    })),
  );
  const height = HEADING + body + RETURN;
  return {
    width,
    height,
    isVertical: false,
    isDense,
    stages: STAGES.map((stage, index) => ({
      stage,
      x: Math.round(index * column + (column - nodeWidth) / 2),
      y: 0,
      width: Math.round(nodeWidth),
    })),
    nodes,
    ...placeEdges(picture.edges, nodes, (from, to) => sideways(from, to, height)),
  };
}

function inRows(picture: Picture, width: number): Layout {
  const nodes: PlacedNode[] = [];
  const stages: PlacedStage[] = [];
  const perRow = width < 560 ? 2 : 4;
  // A margin on the right for the edge that leads back to the server.
  const inner = width - 28;
  let y = 0;
  for (const stage of STAGES) {
    const members = picture.nodes.filter((node) => node.stage === stage);
    if (members.length === 0) continue;
    stages.push({ stage, x: 0, y, width: inner });
    y += 24;
    const columns = Math.min(perRow, members.length);
    const nodeWidth = Math.floor((inner - (columns - 1) * GAP) / columns);
    for (const [index, node] of members.entries()) {
      const row = Math.floor(index / columns);
      nodes.push({
        node,
        x: (index % columns) * (nodeWidth + GAP),
        y: y + row * (NODE_HEIGHT + GAP),
        width: nodeWidth,
        height: NODE_HEIGHT,
      });
    }
    y += Math.ceil(members.length / columns) * (NODE_HEIGHT + GAP) + 18;
  }
  const lines = placeEdges(picture.edges, nodes, (from, to) => downward(from, to, width));
  return { width, height: y, isVertical: true, isDense: false, stages, nodes, ...lines };
}

/** Where the neighbours of a node are, on average; undefined if none has a place yet. */
function meanOf(
  picture: Picture,
  centres: ReadonlyMap<string, number>,
  side: 'from' | 'to',
): (node: PictureNode) => number | undefined {
  const own = side === 'from' ? 'to' : 'from';
  return (node) => {
    const places = picture.edges
      .filter((edge) => edge[own] === node.id)
      .flatMap((edge) => centres.get(edge[side]) ?? []);
    return places.length === 0
      ? undefined
      : places.reduce((sum, place) => sum + place, 0) / places.length;
  };
}

/** Puts the nodes of a column as near as possible to where they want to be, without overlap. */
function spread(
  nodes: readonly PictureNode[],
  size: { readonly height: number; readonly gap: number },
  body: number,
  wish: (node: PictureNode) => number | undefined,
  centres: Map<string, number>,
): void {
  const step = size.height + size.gap;
  const slack = (body + size.gap - nodes.length * step) / 2;
  const wishes = nodes.map((node, index) => ({
    node,
    at: wish(node) ?? slack + index * step + size.height / 2,
  }));
  const sorted = wishes.toSorted((left, right) => left.at - right.at);
  let next = size.height / 2;
  const places = sorted.map(({ at }) => {
    const place = Math.max(at, next);
    next = place + step;
    return place;
  });
  let limit = body - size.height / 2;
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const place = Math.min(places[index] ?? 0, limit);
    limit = place - step;
    centres.set(sorted[index]?.node.id ?? '', place);
  }
}

interface Line {
  readonly path: string;
  readonly label: { readonly x: number; readonly y: number } | undefined;
}

function placeEdges(
  edges: readonly PictureEdge[],
  nodes: readonly PlacedNode[],
  draw: (from: PlacedNode, to: PlacedNode) => Line,
): Pick<Layout, 'edges' | 'rates'> {
  const byId = new Map(nodes.map((placed) => [placed.node.id, placed]));
  const placed: PlacedEdge[] = [];
  const rates = new Map<string, PlacedRate>();
  for (const edge of edges) {
    const from = byId.get(edge.from);
    const to = byId.get(edge.to);
    if (from === undefined || to === undefined) continue;
    const { path, label } = draw(from, to);
    placed.push({ edge, path });
    if (label === undefined || edge.rate === 0) continue;
    // Edges that run along the same line have one label.
    const key = `${label.x} ${label.y}`;
    rates.set(key, { ...label, rate: edge.rate + (rates.get(key)?.rate ?? 0) });
  }
  return { edges: placed, rates: [...rates.values()] };
}

function sideways(from: PlacedNode, to: PlacedNode, height: number): Line {
  const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2];
  if (to.x < from.x) {
    // Back to the server, below everything else.
    const bottom = height - 14;
    const x2 = to.x + to.width / 2;
    const path =
      `M${from.x + from.width} ${y1} h10 q10 0 10 10 V${bottom - 10} q0 10 -10 10 ` +
      `H${x2 + 10} q-10 0 -10 -10 V${to.y + to.height}`;
    return { path, label: { x: (from.x + x2) / 2, y: bottom } };
  }
  const [x1, x2] = [from.x + from.width, to.x];
  const bend = (x2 - x1) / 2;
  return {
    path: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
    label: { x: (x1 + x2) / 2, y: (y1 + y2) / 2 },
  };
}

function downward(from: PlacedNode, to: PlacedNode, width: number): Line {
  const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2];
  if (to.y < from.y) {
    const [y1, y2] = [from.y + from.height / 2, to.y + to.height / 2];
    const right = width - 8;
    const path = `M${from.x + from.width} ${y1} H${right - 10} q10 0 10 -10 V${y2 + 10} q0 -10 -10 -10 H${to.x + to.width}`;
    return { path, label: undefined };
  }
  const [y1, y2] = [from.y + from.height, to.y];
  const bend = (y2 - y1) / 2;
  return {
    path: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`,
    label: { x: x1 * 0.35 + x2 * 0.65, y: y2 - 8 },
  };
}

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { formatTime } from '../session/format.ts';
import { bandsOf, type TimeBands } from '../session/time-bands.ts';
import { cursor, goToTime, moment, now, shift, spanMs, step } from '../state.ts';
import { colours } from '../theme.ts';

/** The width of a column of the time line, in pixels. */
const COLUMN = 4;

/**
 * The time line: changes, keys, reconciles, requests and the depth of the queues on one scale. Its right
 * end is the cursor while the page follows, else the cursor is a line in it.
 */
export function TimeCanvas({ height }: { readonly height: number }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useCanvasSize(canvas);
  const shown = moment.value;
  const end = windowEnd();
  const span = spanMs.value;
  const bands = useMemo(
    () =>
      shown === undefined || width === 0
        ? undefined
        : bandsOf(shown.log, end - span, end, Math.max(1, Math.floor(width / COLUMN))),
    [shown, end, span, width],
  );
  const tone = colours.value;
  useLayoutEffect(() => {
    if (canvas.current !== null && bands !== undefined) {
      draw(canvas.current, bands, width, height, cursor.value?.at);
    }
  }, [bands, width, height, tone, cursor.value]);
  const toTime = (event: PointerEvent | MouseEvent): number => {
    const box = canvas.current?.getBoundingClientRect();
    const share = box === undefined ? 0 : (event.clientX - box.left) / box.width;
    return end - span + Math.min(1, Math.max(0, share)) * span;
  };
  return (
    <canvas
      class="time-canvas"
      ref={canvas}
      style={{ height: `${height}px` }}
      tabIndex={0}
      role="slider"
      aria-label="Time line"
      aria-valuemin={0}
      aria-valuemax={Math.round(span / 1000)}
      aria-valuenow={Math.round(((shown?.at ?? end) - (end - span)) / 1000)}
      aria-valuetext={shown === undefined ? '' : formatTime(shown.at)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        goToTime(toTime(event));
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) goToTime(toTime(event));
      }}
      onKeyDown={(event) => {
        const act = KEYS[event.key];
        if (act === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        act(event.shiftKey);
      }}
    />
  );
}

const KEYS: Readonly<Record<string, (isShift: boolean) => void>> = {
  ArrowLeft: (isShift) => (isShift ? shift(-5000) : step(-1)),
  ArrowRight: (isShift) => (isShift ? shift(5000) : step(1)),
  PageUp: () => shift(-spanMs.value / 2),
  PageDown: () => shift(spanMs.value / 2),
};

/** The time at the right end of the time line: it moves only if the cursor leaves the window. */
export function windowEnd(): number {
  const place = cursor.value;
  const shown = moment.value;
  if (shown === undefined) return now.value;
  if (place === undefined) {
    lastEnd = shown.at;
    return lastEnd;
  }
  if (place.at > lastEnd) lastEnd = place.at + spanMs.value * 0.1;
  if (place.at < lastEnd - spanMs.value) lastEnd = place.at + spanMs.value * 0.9;
  return lastEnd;
}

let lastEnd = 0;

function useCanvasSize(canvas: { readonly current: HTMLCanvasElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
}

function draw(
  canvas: HTMLCanvasElement,
  bands: TimeBands,
  width: number,
  height: number,
  cursorAt: number | undefined,
): void {
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  context.scale(scale, scale);
  const axis = 16;
  const rows = bands.bands.length + 1;
  const row = (height - axis) / rows;
  drawAxis(context, bands, width, height, colour);
  for (const [index, band] of bands.bands.entries()) {
    const base = (index + 1) * row - 1;
    const top = Math.max(1, ...band.total);
    for (const [column, count] of band.total.entries()) {
      if (count === 0) continue;
      const full = Math.max(1.5, (count / top) * (row - 4));
      context.fillStyle = colour(`--band-${band.name}`);
      context.fillRect(column * COLUMN, base - full, COLUMN - 1, full);
      const failed = ((band.failed[column] ?? 0) / count) * full;
      if (failed === 0) continue;
      context.fillStyle = colour('--bad');
      context.fillRect(
        column * COLUMN,
        base - Math.max(2, failed),
        COLUMN - 1,
        Math.max(2, failed),
      );
    }
  }
  drawDepth(context, bands, row, height - axis, colour);
  drawMarks(context, bands, width, height - axis, colour);
  if (cursorAt !== undefined) {
    const x = ((cursorAt - bands.from) / (bands.to - bands.from)) * width;
    context.fillStyle = colour('--accent');
    context.fillRect(Math.min(width - 2, Math.max(0, x - 1)), 0, 2, height);
  }
}

type Colour = (name: string) => string;

function drawAxis(
  context: CanvasRenderingContext2D,
  { from, to }: TimeBands,
  width: number,
  height: number,
  colour: Colour,
): void {
  const steps = [1000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000];
  const wanted = ((to - from) / width) * 90;
  const step = steps.find((candidate) => candidate >= wanted) ?? 600_000;
  context.font = `10px ${getComputedStyle(document.body).fontFamily}`;
  for (let at = Math.ceil(from / step) * step; at < to; at += step) {
    const x = Math.round(((at - from) / (to - from)) * width) + 0.5;
    context.strokeStyle = colour('--line');
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height - 14);
    context.stroke();
    context.fillStyle = colour('--muted');
    if (x < width - 44) context.fillText(formatTime(at).slice(0, 8), x + 3, height - 4);
  }
}

function drawDepth(
  context: CanvasRenderingContext2D,
  { depth, bands }: TimeBands,
  row: number,
  base: number,
  colour: Colour,
): void {
  const top = Math.max(1, ...depth);
  context.beginPath();
  context.moveTo(0, base);
  for (const [column, value] of depth.entries()) {
    context.lineTo(column * COLUMN, base - (value / top) * (row - 4));
    context.lineTo((column + 1) * COLUMN, base - (value / top) * (row - 4));
  }
  context.lineTo((bands[0]?.total.length ?? 0) * COLUMN, base);
  context.closePath();
  context.fillStyle = colour('--band-depth');
  context.fill();
}

function drawMarks(
  context: CanvasRenderingContext2D,
  { marks, from, to }: TimeBands,
  width: number,
  height: number,
  colour: Colour,
): void {
  const names = {
    election: '--accent',
    error: '--bad',
    note: '--warn',
    relist: '--warn',
    warning: '--bad',
  };
  for (const { at, kind } of marks) {
    const x = ((at - from) / (to - from)) * width;
    context.fillStyle = colour(names[kind]);
    context.beginPath();
    context.moveTo(x - 4, 0);
    context.lineTo(x + 4, 0);
    context.lineTo(x, 7);
    context.fill();
    context.globalAlpha = 0.35;
    context.fillRect(x - 0.5, 7, 1, height - 7);
    context.globalAlpha = 1;
  }
}

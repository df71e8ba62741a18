import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { Empty } from './common.tsx';

/** A column of a {@link VirtualTable}. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (row: T) => ComponentChildren;
  /** `narrow` columns are also shown on a phone. */
  readonly width: 'narrow' | 'wide';
  readonly isNumber?: boolean;
}

/** The properties of a {@link VirtualTable}. */
export interface VirtualTableProps<T> {
  readonly label: string;
  /** The widths of the columns are those of the class `table-NAME`. */
  readonly name: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly selected?: string | undefined;
  readonly onSelect?: (row: T) => void;
  readonly rowClass?: (row: T) => string;
  readonly empty: string;
  /** Keeps the last row in view while the reader has not scrolled away from it. */
  readonly isTail?: boolean;
}

const ROW_HEIGHT = 32;
/** Rows above and below the visible ones, so that scrolling shows no gaps. */
const SPARE = 8;

/**
 * A table of any length: only the rows that are in view are elements. The arrow keys, Home, End and the
 * page keys move through it, Enter selects.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>): JSX.Element {
  const { label, name, columns, rows, keyOf, selected, onSelect, empty } = props;
  const body = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [active, setActive] = useState<string | undefined>(undefined);
  useViewport(body, setView);
  useTail(body, props.isTail === true, rows.length);

  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - SPARE);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_HEIGHT) + SPARE);
  const current = active ?? selected;
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const index = rows.findIndex((row) => keyOf(row) === current);
    const page = Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1);
    const next = moved(event.key, index, rows.length, page);
    const row = rows[next ?? index];
    if (row === undefined) return;
    if (next !== undefined) {
      setActive(keyOf(row));
      scrollTo(body.current, next);
    } else if (event.key === 'Enter') onSelect?.(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={`table table-${name}`}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={current === undefined ? undefined : rowId(name, current)}
      tabIndex={0}
      ref={body}
      onKeyDown={onKeyDown}
    >
      <div class="table-head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column.name} role="columnheader" class={classOf(column)}>
            {column.name}
          </span>
        ))}
      </div>
      <div class="table-space" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {rows.slice(first, last).map((row, offset) => {
          const key = keyOf(row);
          return (
            <div
              key={key}
              id={rowId(name, key)}
              role="row"
              aria-rowindex={first + offset + 2}
              aria-selected={key === selected}
              class={`table-row ${key === current ? 'is-active' : ''} ${props.rowClass?.(row) ?? ''}`}
              style={{ transform: `translateY(${(first + offset) * ROW_HEIGHT}px)` }}
              onClick={() => {
                setActive(key);
                onSelect?.(row);
              }}
            >
              {columns.map((column) => (
                <span key={column.name} role="gridcell" class={classOf(column)}>
                  {column.cell(row)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
      {rows.length === 0 && <Empty>{empty}</Empty>}
    </div>
  );
}

function useViewport(
  body: { readonly current: HTMLDivElement | null },
  setView: (view: { top: number; height: number }) => void,
): void {
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    const read = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
}

function useTail(
  body: { readonly current: HTMLDivElement | null },
  isTail: boolean,
  count: number,
): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    const read = (): void => {
      const below = element.scrollHeight - element.scrollTop - element.clientHeight;
      isAtEnd.current = below < ROW_HEIGHT * 2;
    };
    element.addEventListener('scroll', read, { passive: true });
    return () => element.removeEventListener('scroll', read);
  }, []);
  useLayoutEffect(() => {
    const element = body.current;
    if (isTail && isAtEnd.current && element !== null) element.scrollTop = element.scrollHeight;
  }, [isTail, count]);
}

/** Where a key leads; undefined if it does not move. */
function moved(key: string, index: number, count: number, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index === -1 ? count - 1 : index - 1,
    End: count - 1,
    Home: 0,
    PageDown: index + page,
    PageUp: index - page,
  };
  const next = steps[key];
  return next === undefined ? undefined : Math.min(count - 1, Math.max(0, next));
}

function scrollTo(element: HTMLDivElement | null, index: number): void {
  if (element === null) return;
  const top = index * ROW_HEIGHT;
  if (top < element.scrollTop) element.scrollTop = top;
  // The heading covers the height of a row.
  const bottom = top + ROW_HEIGHT * 2 - element.clientHeight;
  if (bottom > element.scrollTop) element.scrollTop = bottom;
}

/** Ids may hold any text, but spaces would make two of one. */
function rowId(table: string, key: string): string {
  return `${table}-${key.replaceAll(/\s/g, '_')}`;
}

function classOf<T>({ width, isNumber }: Column<T>): string {
  return `${width === 'wide' ? 'on-wide' : ''} ${isNumber === true ? 'number' : ''}`;
}

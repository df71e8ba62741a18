import { endOfValue, MALFORMED } from './json-grammar.ts';
import { jsonScanModule } from './json-scan-module.ts';
import type { KeptBytes } from './slab.ts';

/** What json-scan.wat exports. */
interface JsonScan {
  readonly memory: { readonly buffer: ArrayBuffer };
  endOfValue(start: number, limit: number): number;
  member(start: number, nameLength: number): number;
  endOfFrame(start: number, limit: number): number;
}

/** What is known of a frame of which some bytes have been scanned. */
export interface FrameState {
  depth: number;
  inString: boolean;
  /** True after a backslash. */
  escaped: boolean;
}

/** The part of WebAssembly that is used: no library of the compiler declares it without a browser. */
interface Runtime {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** JSON of an object that has been scanned. */
export interface ScannedPart {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Where JSON begins; names, the state of a frame and a table of members are before it. */
const JSON_START = 8448;
const STATE_START = 240;
/** Strings are read 16 bytes at a time, so the last ones must not begin at the end of the memory. */
const SLACK = 16;
/** How much of a chunk is loaded at a time. Otherwise a chunk of many frames would be loaded for each of them. */
const FRAME_PART = 4096;

/** The result for JSON that is left to TypeScript. */
export const LEFT = -2;

/**
 * Memory whose JSON is scanned in WebAssembly, three times as fast as in TypeScript. There is one for the process:
 * what is loaded is valid until the next load.
 */
export class ScanMemory {
  /** All of the memory. */
  readonly bytes: Buffer;
  /** How many bytes can be loaded. */
  readonly capacity: number;
  readonly #scan: JsonScan;
  /** That of a frame, in two numbers, and the length of the table of members. */
  readonly #state: Int32Array;
  /** The object whose JSON is loaded, by the place of its bytes, and where its parts are. */
  #source: object | undefined;
  #start = 0;
  #ranges: readonly number[] = [];

  constructor(scan: JsonScan) {
    const { buffer } = scan.memory;
    this.#scan = scan;
    this.bytes = Buffer.from(buffer);
    this.capacity = buffer.byteLength - JSON_START - SLACK;
    this.#state = new Int32Array(buffer, STATE_START, 3);
  }

  /** Copies JSON into the memory. Returns where it begins, or {@link LEFT} if it is too long. */
  load(json: Buffer, start: number, end: number): number {
    this.#source = undefined;
    if (end - start > this.capacity) return LEFT;
    json.copy(this.bytes, JSON_START, start, end);
    this.#state[2] = 0;
    return JSON_START;
  }

  /**
   * Notes that the parts of an object are loaded, because its indices are read next: `ranges` has the start and the end of each.
   * Holds its slab until the next load, not the object.
   */
  remember({ source, start }: KeptBytes, ranges: readonly number[]): void {
    // A string is not unique.
    if (typeof source === 'string') return;
    this.#source = source;
    this.#start = start;
    this.#ranges = ranges;
  }

  /** Returns one of these parts; undefined if something else was loaded meanwhile. */
  partOf({ source, start }: KeptBytes, at: number): ScannedPart | undefined {
    if (source !== this.#source || start !== this.#start) return undefined;
    const ranges = this.#ranges;
    return {
      bytes: this.bytes,
      start: ranges[2 * at] as number,
      end: ranges[2 * at + 1] as number,
    };
  }

  /** As the function of json-grammar.ts, for JSON in this memory. */
  endOfValue(start: number, limit: number): number {
    const end = this.#scan.endOfValue(start, limit);
    if (end >= 0) return end;
    // The table has only some members of the object.
    this.#state[2] = -1;
    return end === LEFT ? endOfValue(this.bytes, start, limit) : MALFORMED;
  }

  /**
   * Returns where the value of a member of an object begins, -1 if there is none. Of duplicates the last counts.
   * The object has been validated, the name is ASCII. {@link LEFT} for keys with escapes, deep nesting and long names.
   */
  member(object: number, name: string): number {
    const { length } = name;
    if (length > STATE_START) return LEFT;
    for (let index = 0; index < length; index++) this.bytes[index] = name.charCodeAt(index);
    return this.#scan.member(object, length);
  }

  /**
   * Scans the beginning of a chunk, a few kilobytes of it, up to the end of the frame that it continues: the depth is
   * 0 then. Returns the number of bytes scanned.
   */
  scanFrame(chunk: Buffer, frame: FrameState): number {
    const size = Math.min(chunk.length, FRAME_PART);
    const start = this.load(chunk, 0, size);
    const state = this.#state;
    state[0] = frame.depth;
    state[1] = frame.escaped ? 2 : Number(frame.inString);
    const end = this.#scan.endOfFrame(start, start + size);
    frame.depth = state[0];
    frame.inString = state[1] !== 0;
    frame.escaped = state[1] === 2;
    return end - start;
  }
}

let shared: { readonly memory: ScanMemory | undefined } | undefined;

/**
 * Returns the memory of this process, made by the first call. Undefined in a runtime without WebAssembly, or without the
 * address space that it reserves.
 */
export function scanMemory(): ScanMemory | undefined {
  shared ??= {
    memory: newScanMemory((globalThis as { readonly WebAssembly?: Runtime }).WebAssembly),
  };
  return shared.memory;
}

export function newScanMemory(runtime: Runtime | undefined): ScanMemory | undefined {
  if (runtime === undefined) return undefined;
  try {
    const module = new runtime.Module(Buffer.from(jsonScanModule, 'base64'));
    return new ScanMemory(new runtime.Instance(module).exports as JsonScan);
  } catch {
    return undefined;
  }
}

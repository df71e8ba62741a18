import { endOfValue, MALFORMED } from './json-grammar.ts';
import { jsonScanModule } from './json-scan-module.ts';

/** What json-scan.wat exports. */
interface JsonScan {
  readonly memory: { readonly buffer: ArrayBuffer };
  endOfValue(start: number, limit: number): number;
  member(start: number, nameLength: number): number;
}

/** The part of WebAssembly that is used: no library of the compiler declares it without a browser. */
interface Runtime {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Where JSON begins; names of members are before it. */
const JSON_START = 256;
/** Strings are read 16 bytes at a time, so the last ones must not begin at the end of the memory. */
const SLACK = 16;

/** The result for JSON that is left to TypeScript. */
export const LEFT = -2;

/**
 * Memory whose JSON is scanned in WebAssembly, three times as fast as in TypeScript. There is one for the process:
 * what is loaded is valid until the next load.
 */
export class ScanMemory {
  /** All of the memory. */
  readonly bytes: Buffer;
  readonly #scan: JsonScan;

  constructor(scan: JsonScan) {
    this.#scan = scan;
    this.bytes = Buffer.from(scan.memory.buffer);
  }

  /** Copies JSON into the memory. Returns where it begins, or {@link LEFT} if it is too long. */
  load(json: Buffer, start: number, end: number): number {
    if (end - start > this.bytes.length - JSON_START - SLACK) return LEFT;
    json.copy(this.bytes, JSON_START, start, end);
    return JSON_START;
  }

  /** As the function of json-grammar.ts, for JSON in this memory. */
  endOfValue(start: number, limit: number): number {
    const end = this.#scan.endOfValue(start, limit);
    if (end >= 0) return end;
    return end === LEFT ? endOfValue(this.bytes, start, limit) : MALFORMED;
  }

  /**
   * Returns where the value of a member of an object begins, -1 if there is none. Of duplicates the last counts.
   * The object has been validated, the name is ASCII. {@link LEFT} for keys with escapes, deep nesting and long names.
   */
  member(object: number, name: string): number {
    const { length } = name;
    if (length > JSON_START) return LEFT;
    for (let index = 0; index < length; index++) this.bytes[index] = name.charCodeAt(index);
    return this.#scan.member(object, length);
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

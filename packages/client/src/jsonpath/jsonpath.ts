import { evaluate, type EvaluateOptions, formatValue, GoFloat, type Value } from './evaluate.ts';
import { JSONPathError, type Part, parseTemplate, type Path } from './parse.ts';

/** Options of a {@link JSONPath}. */
export interface JSONPathOptions {
  /** A missing field selects nothing, instead of failing. Default false; kubectl sets it. */
  readonly allowMissingKeys?: boolean | undefined;
}

/** A template with its ranges nested. */
type Block =
  | { readonly type: 'print'; readonly path: Path }
  | { readonly type: 'literal'; readonly text: string }
  | {
      readonly type: 'range';
      readonly path: Path;
      readonly body: readonly Block[];
      readonly isClosed: boolean;
    };

/**
 * A template in kubectl's dialect of JSONPath: `{range .items[*]}{.metadata.name}{"\n"}{end}`. The
 * constructor throws {@link JSONPathError} for a syntax error, and the methods throw it where the
 * template does not fit the object.
 *
 * `.*` and `..` visit the fields of an object in the order of their keys; kubectl in random order.
 *
 * ```ts
 * const ready = new JSONPath('{.status.conditions[?(@.type=="Ready")].status}');
 * ready.findResults(pod); // [['True']]
 * ```
 */
export class JSONPath {
  readonly #blocks: readonly Block[];
  readonly #options: EvaluateOptions;

  constructor(template: string, { allowMissingKeys = false }: JSONPathOptions = {}) {
    this.#blocks = readBlock(parseTemplate(template), 0).body;
    this.#options = { allowMissingKeys };
  }

  /** Returns the values that each action of the template finds, in order. Text between actions is one. */
  findResults(data: unknown): readonly (readonly unknown[])[] {
    return this.#run(this.#blocks, data).map((values) => values.map(plain));
  }

  /** Returns the text that kubectl prints for an object. */
  execute(data: unknown): string {
    return this.#run(this.#blocks, data)
      .map((values) => values.map(formatValue).join(' '))
      .join('');
  }

  #run(blocks: readonly Block[], data: Value): readonly (readonly Value[])[] {
    return blocks.flatMap((block) => {
      if (block.type === 'literal') return [[block.text]];
      checkWords(block.path);
      const found = evaluate([data], block.path, this.#options);
      if (block.type === 'print') return [found];
      const results = found.flatMap((value) => this.#run(block.body, value ?? undefined));
      // As in kubectl: without an end, the body runs once more for the object of the range.
      return block.isClosed ? results : [...results, ...this.#run(block.body, data)];
    });
  }
}

/**
 * Parses a single path whose braces and first dot are optional, as in kubectl's `--sort-by` and
 * `--for=jsonpath`: `status.phase`, `.status.phase`, `{.status.phase}`. Throws {@link JSONPathError}.
 */
export function relaxedJSONPath(path: string, options: JSONPathOptions = {}): JSONPath {
  const [, braced, bare] = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(path) ?? [];
  const inner = braced ?? bare;
  if (inner === undefined) throw new JSONPathError(`${path} is not a path such as .metadata.name`);
  return new JSONPath(`{.${inner}}`, options);
}

function plain(value: Value): unknown {
  return value instanceof GoFloat ? value.value : (value ?? null);
}

function readBlock(
  pending: Part[],
  depth: number,
): { readonly body: readonly Block[]; readonly isClosed: boolean } {
  const body: Block[] = [];
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part.type === 'literal') {
      body.push(part);
    } else if (hasWord(part.path, 'end')) {
      if (depth === 0) throw new JSONPathError('not in range, nothing to end');
      return { body, isClosed: true };
    } else if (hasWord(part.path, 'range')) {
      const inner = readBlock(pending, depth + 1);
      body.push({ type: 'range', path: part.path, ...inner });
    } else {
      body.push({ type: 'print', path: part.path });
    }
  }
  return { body, isClosed: false };
}

function hasWord(path: Path, wanted: string): boolean {
  return path.some((step) => step.type === 'word' && step.word === wanted);
}

function checkWords(path: Path): void {
  for (const step of path) {
    if (step.type === 'word' && step.word !== 'range') {
      throw new JSONPathError(`unrecognized identifier ${step.word}`);
    }
  }
}

import { formatGoJson } from '../go-format/go-json.ts';
import { evaluate, type EvaluateOptions, formatScalar, type Value } from './evaluate.ts';
import { parseTemplate } from './parse.ts';
import { JsonPathError, type Part, type Path } from './template.ts';

/** A template whose ranges have been found. */
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
 * A template in kubectl's dialect of JSONPath: `{range .items[*]}{.metadata.name}{"\n"}{end}`.
 * Throws a {@link JsonPathError} for one that cannot be read.
 *
 * Where kubectl goes through the fields of an object in any order (`.*` and `..`), this goes in the
 * order of the document.
 */
export class JsonPath {
  readonly #blocks: readonly Block[];
  readonly #options: EvaluateOptions;

  constructor(template: string, options: Partial<EvaluateOptions> = {}) {
    this.#blocks = blocksOf(parseTemplate(template));
    this.#options = { allowMissingKeys: true, ...options };
  }

  /** What every action of the template finds, in order; texts count as what they are. */
  find(data: Value): readonly (readonly Value[])[] {
    return this.#run(this.#blocks, data);
  }

  /** The text that kubectl prints for an object. */
  print(data: Value): string {
    return this.find(data)
      .map((values) => values.map(format).join(' '))
      .join('');
  }

  #run(blocks: readonly Block[], data: Value): readonly (readonly Value[])[] {
    return blocks.flatMap((block) => {
      if (block.type === 'literal') return [[block.text]];
      checkWords(block.path);
      const found = evaluate([data], block.path, this.#options);
      if (block.type === 'print') return [found];
      const results = found.flatMap((value) => this.#run(block.body, value ?? undefined));
      // Without an end, what follows is done once more for what the range was taken from.
      return block.isClosed ? results : [...results, ...this.#run(block.body, data)];
    });
  }
}

function format(value: Value): string {
  const isPlain = typeof value !== 'object' || value === null || !isContainer(value);
  return isPlain ? formatScalar(value) : formatGoJson(value);
}

function isContainer(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function blocksOf(parts: readonly Part[]): readonly Block[] {
  const pending = [...parts];
  const blocks = readBlock(pending, 0);
  return blocks.body;
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
      if (depth === 0) throw new JsonPathError('not in range, nothing to end');
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
      throw new JsonPathError(`unrecognized identifier ${step.word}`);
    }
  }
}

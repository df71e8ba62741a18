/** A fault of an expression, at a place in its source. */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** Collects what is wrong with one expression. */
export class Issues {
  readonly source: string;
  readonly #found: Issue[] = [];

  constructor(source: string) {
    this.source = source;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  /** Adds a fault. */
  add(at: number, message: string): void {
    this.#found.push({ at, message });
  }

  /** Returns the faults in the order of their places, with the lines they stand in. */
  toString(): string {
    return this.#found
      .toSorted((left, right) => left.at - right.at)
      .map((issue) => this.#format(issue))
      .join('\n');
  }

  #format({ at, message }: Issue): string {
    // An empty source has no first column to point at.
    if (this.source === '') return `ERROR: <input>:1:0: ${message}`;
    const start = this.source.lastIndexOf('\n', at - 1) + 1;
    const end = this.source.indexOf('\n', start);
    const line = this.source.slice(start, end === -1 ? undefined : end).replaceAll('\t', ' ');
    const number = this.source.slice(0, start).split('\n').length;
    const before = Array.from(this.source.slice(start, at));
    const place = `<input>:${number}:${before.length + 1}`;
    return `ERROR: ${place}: ${message}\n | ${line}\n | ${'.'.repeat(before.length)}^`;
  }
}

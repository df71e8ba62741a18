/** For tests: the part of a terminal that the demo uses. Unknown sequences are errors. */
export class TestTerminal {
  readonly columns: number;
  readonly rows: number;
  #cells: string[];
  #row = 0;
  #column = 0;
  #rest = '';
  isAlternate = false;
  isCursorVisible = true;
  /** True after anything was coloured. */
  hadColors = false;
  /** The text outside of the alternate screen. */
  ordinary = '';

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.#cells = this.#blank();
  }

  /** The screen, without trailing blanks. */
  get lines(): string[] {
    return this.#cells.map((line) => line.trimEnd());
  }

  get text(): string {
    return this.lines.join('\n').trimEnd();
  }

  write(text: string): void {
    this.#rest += text;
    while (this.#rest !== '') {
      const [sequence] = /^\u001B\[[?\d;]*[A-Za-z]/.exec(this.#rest) ?? [];
      if (sequence !== undefined) {
        this.#obey(sequence);
        this.#rest = this.#rest.slice(sequence.length);
        continue;
      }
      // The rest of the sequence follows.
      if (/^\u001B(?:\[[?\d;]*)?$/.test(this.#rest)) return;
      if (this.#rest.startsWith('\u001B'))
        throw new Error(`unknown: ${JSON.stringify(this.#rest)}`);
      const [plain = ''] = /^[^\u001B]+/.exec(this.#rest) ?? [];
      this.#print(plain);
      this.#rest = this.#rest.slice(plain.length);
    }
  }

  #print(text: string): void {
    if (!this.isAlternate) {
      this.ordinary += text;
      return;
    }
    if (/[\r\n]/.test(text)) throw new Error(`a line end on the screen: ${JSON.stringify(text)}`);
    const line = (this.#cells[this.#row] ?? '').padEnd(this.columns);
    const end = this.#column + text.length;
    if (end > this.columns) throw new Error(`wider than the screen: ${text}`);
    this.#cells[this.#row] = line.slice(0, this.#column) + text + line.slice(end);
    this.#column = end;
  }

  #obey(sequence: string): void {
    const place = /^\u001B\[(\d+);(\d+)H$/.exec(sequence);
    if (place !== null) {
      [this.#row, this.#column] = [Number(place[1]) - 1, Number(place[2]) - 1];
      if (this.#row >= this.rows) throw new Error(`below the screen: ${JSON.stringify(sequence)}`);
      return;
    }
    switch (sequence) {
      case '\u001B[?1049h':
        this.isAlternate = true;
        this.#cells = this.#blank();
        return;
      case '\u001B[?1049l':
        this.isAlternate = false;
        return;
      case '\u001B[?25l':
      case '\u001B[?25h':
        this.isCursorVisible = sequence.endsWith('h');
        return;
      case '\u001B[2J':
        this.#cells = this.#blank();
        return;
      case '\u001B[K':
        this.#cells[this.#row] = (this.#cells[this.#row] ?? '').slice(0, this.#column);
        return;
      default:
        if (!/^\u001B\[\d+m$/.test(sequence))
          throw new Error(`unknown: ${JSON.stringify(sequence)}`);
        this.hadColors = true;
    }
  }

  #blank(): string[] {
    return Array.from({ length: this.rows }, () => '');
  }
}

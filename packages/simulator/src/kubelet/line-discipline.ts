import { once } from 'node:events';
import { PassThrough, type Readable, Transform, type Writable } from 'node:stream';

const INTERRUPT = 0x03;
const END = 0x04;
const BACKSPACE = 0x08;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const DELETE = 0x7f;

/** A longer line is passed on without its end. */
const MAX_LINE = 4096;

/**
 * What the kernel does for a terminal: it echoes and edits the line being typed, turns Ctrl-D into
 * the end of input and Ctrl-C into {@link hangup}, and ends the lines of the output with CR LF.
 */
export class LineDiscipline {
  /** The input of the process, line by line. */
  readonly input: Readable;
  /** The output of the process. */
  readonly output: Writable;
  readonly #hangup = new AbortController();
  readonly #cooked = new PassThrough();
  readonly #converter: Transform;
  readonly #screen: Writable;
  #line: number[] = [];
  #echo: number[] = [];
  #onInterrupt: (() => void) | undefined;

  constructor(keyboard: Readable, screen: Writable) {
    this.#screen = screen;
    this.#converter = new Transform({
      transform: (chunk: Buffer, _, done) => done(null, withReturns(chunk)),
    });
    this.input = this.#cooked;
    this.output = this.#converter;
    this.#converter.pipe(screen, { end: false });
    keyboard.on('data', (chunk: Buffer) => {
      for (const byte of chunk) this.#type(byte);
      screen.write(Buffer.from(this.#echo));
      this.#echo = [];
      const slow = [this.#cooked, screen].find((stream) => stream.writableNeedDrain);
      if (slow === undefined) return;
      keyboard.pause();
      slow.once('drain', () => keyboard.resume());
    });
    keyboard.on('end', () => this.#cooked.end());
  }

  /** Aborts when the user types Ctrl-C, unless {@link onInterrupt} handles it. */
  get hangup(): AbortSignal {
    return this.#hangup.signal;
  }

  /** Handles Ctrl-C: an interactive shell starts a new line instead of ending. */
  onInterrupt(listener: (() => void) | undefined): void {
    this.#onInterrupt = listener;
  }

  /** Ends the output and resolves when the screen has all of it. */
  async flush(): Promise<void> {
    if (this.#screen.destroyed) return;
    const ended = once(this.#converter, 'end');
    this.#converter.end();
    await ended;
  }

  #type(byte: number): void {
    switch (byte) {
      case INTERRUPT:
        this.#line = [];
        this.#echo.push(...Buffer.from('^C\r\n'));
        if (this.#onInterrupt === undefined) this.#hangup.abort();
        else this.#onInterrupt();
        return;
      case END:
        if (this.#line.length === 0) this.#cooked.end();
        else this.#submit();
        return;
      case RETURN:
      case NEWLINE:
        this.#line.push(NEWLINE);
        this.#echo.push(RETURN, NEWLINE);
        this.#submit();
        return;
      case BACKSPACE:
      case DELETE:
        if (this.#line.pop() !== undefined) this.#echo.push(...Buffer.from('\b \b'));
        return;
      default:
        this.#line.push(byte);
        this.#echo.push(byte);
        if (this.#line.length >= MAX_LINE) this.#submit();
    }
  }

  #submit(): void {
    if (!this.#cooked.writableEnded) this.#cooked.write(Buffer.from(this.#line));
    this.#line = [];
  }
}

function withReturns(chunk: Buffer): Buffer {
  if (!chunk.includes(NEWLINE)) return chunk;
  return Buffer.from(chunk.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1');
}

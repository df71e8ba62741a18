import { isIP } from 'node:net';

/**
 * Returns true for a text that is one address of RFC 5322 as Go's `net/mail` reads it: `a@b`,
 * `Name <a@b>`, `a@b (comment)`, `group: a@b;`. Reads from left to right in linear time.
 */
export function isEmailAddress(text: string): boolean {
  return new AddressReader(text).readSingle();
}

class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readSingle(): boolean {
    return this.#addresses(true) === 1 && this.#skipComments() && this.#at === this.#text.length;
  }

  /** Reads a mailbox, or a group where one may be. Returns how many addresses it has. */
  #addresses(mayBeGroup: boolean): number | undefined {
    this.#skipSpace();
    if (this.#at === this.#text.length) return undefined;
    const start = this.#at;
    if (this.#spec()) return this.#trailingName() ? 1 : undefined;
    this.#at = start;
    if (this.#peek() !== '<' && !this.#phrase()) return undefined;
    this.#skipSpace();
    if (mayBeGroup && this.#take(':')) return this.#group();
    return this.#take('<') && this.#spec() && this.#take('>') ? 1 : undefined;
  }

  #group(): number | undefined {
    this.#skipSpace();
    if (this.#take(';')) return 0;
    let count = 0;
    for (;;) {
      const added = this.#addresses(false);
      if (added === undefined || !this.#skipComments()) return undefined;
      count += added;
      if (this.#take(';')) return count;
      if (!this.#take(',')) return undefined;
    }
  }

  /** Reads `local@domain`, or as much of it as there is. */
  #spec(): boolean {
    this.#skipSpace();
    const hasLocalPart =
      this.#peek() === '"' ? (this.#quoted() ?? '') !== '' : isDotAtom(this.#atom());
    if (!hasLocalPart || !this.#take('@')) return false;
    this.#skipSpace();
    return this.#peek() === '[' ? this.#literal() : isDotAtom(this.#atom());
  }

  /** Reads an address between brackets: `[192.0.2.1]`. */
  #literal(): boolean {
    const end = this.#text.indexOf(']', this.#at);
    if (end === -1) return false;
    const address = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return !address.includes('%') && isIP(address) !== 0;
  }

  /** Reads the words before `<` or `:`. There is at least one; what follows the last is not checked. */
  #phrase(): boolean {
    let words = 0;
    let hasEncoded = false;
    for (;;) {
      if (words > 0 && !this.#skipComments()) return false;
      this.#skipSpace();
      if (this.#at === this.#text.length) break;
      if (this.#peek() === '"') {
        if (this.#quoted() === undefined) break;
        words++;
        continue;
      }
      const atom = this.#atom();
      if (atom === '') break;
      const encoded = encodedWord(atom);
      if (encoded === undefined) words++;
      else if (!encoded.isReadable) break;
      // Encoded words are one word together, which ends with the next plain one.
      else hasEncoded ||= encoded.text !== '';
    }
    return words > 0 || hasEncoded || this.#at === this.#text.length;
  }

  /** Reads the name that may stand in a comment behind an address. */
  #trailingName(): boolean {
    this.#skipSpace();
    const start = this.#at + 1;
    if (!this.#take('(')) return true;
    if (!this.#comment()) return false;
    const words = this.#text
      .slice(start, this.#at - 1)
      .replaceAll(/\\(.)/gs, '$1')
      .split(/[ \t]/);
    return words.every((word) => encodedWord(word)?.isReadable !== false);
  }

  /** Skips space and comments; false if a comment does not end. */
  #skipComments(): boolean {
    this.#skipSpace();
    while (this.#take('(')) {
      if (!this.#comment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  /** Reads a comment up to its end, behind its opening. Comments nest. */
  #comment(): boolean {
    for (let depth = 1; this.#at < this.#text.length; this.#at++) {
      const character = this.#peek();
      if (character === '\\' && this.#at + 1 < this.#text.length) this.#at++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) {
        this.#at++;
        return true;
      }
    }
    return false;
  }

  #quoted(): string | undefined {
    let content = '';
    for (let index = this.#at + 1; index < this.#text.length; index++) {
      let character = this.#text[index] as string;
      if (character === '"') {
        this.#at = index + 1;
        return content;
      }
      if (character === '\\') character = this.#text[++index] ?? '\0';
      if (!isVisible(character) && character !== ' ' && character !== '\t') return undefined;
      content += character;
    }
    return undefined;
  }

  /** Reads letters and dots; empty if there are none. */
  #atom(): string {
    const start = this.#at;
    while (this.#at < this.#text.length && isAtomText(this.#text[this.#at] as string)) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #skipSpace(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(wanted: string): boolean {
    if (this.#peek() !== wanted) return false;
    this.#at++;
    return true;
  }
}

/** Everything printable in ASCII, and everything beyond ASCII. */
function isVisible(character: string): boolean {
  return (character >= '!' && character <= '~') || character >= '\u0080';
}

function isAtomText(character: string): boolean {
  return isVisible(character) && !'()<>[]:;@\\,"'.includes(character);
}

function isDotAtom(atom: string): boolean {
  return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
}

const charsets: ReadonlySet<string> = new Set(['iso-8859-1', 'us-ascii', 'utf-8']);

/** Reads a word of RFC 2047, `=?utf-8?q?text?=`; undefined if it is not one. */
function encodedWord(
  word: string,
): { readonly text: string; readonly isReadable: boolean } | undefined {
  const [, charset = '', encoding = '', text = ''] =
    /^=\?([^?]+)\?([bBqQ])\?([^?]*)\?=$/.exec(word) ?? [];
  if (charset === '') return undefined;
  const isText =
    encoding.toLowerCase() === 'q'
      ? /^(?:[ -<>-~\t\r\n]|=[0-9A-Fa-f]{2})*$/.test(text)
      : /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0;
  return isText ? { text, isReadable: charsets.has(charset.toLowerCase()) } : undefined;
}

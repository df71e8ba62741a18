import { isIP } from 'node:net';

/**
 * Returns whether a text is one RFC 5322 address as Go's `net/mail` parses it: `a@b`, `Name <a@b>`,
 * `a@b (comment)`, `group: a@b;`. Parses from left to right in linear time.
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

  /** Reads a mailbox, or a group if allowed. Returns the number of addresses. */
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

  /** Reads `local@domain`, as far as it goes. */
  #spec(): boolean {
    this.#skipSpace();
    const hasLocalPart =
      this.#peek() === '"' ? (this.#quoted() ?? '') !== '' : isDotAtom(this.#atom());
    if (!hasLocalPart || !this.#take('@')) return false;
    this.#skipSpace();
    return this.#peek() === '[' ? this.#literal() : isDotAtom(this.#atom());
  }

  /** Reads a domain literal: `[192.0.2.1]`. */
  #literal(): boolean {
    const end = this.#text.indexOf(']', this.#at);
    if (end === -1) return false;
    const address = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return !address.includes('%') && isIP(address) !== 0;
  }

  /** Reads one or more words before `<` or `:`. What follows the last word is not checked. */
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
      // Adjacent encoded words count as one word, which ends at the next plain word.
      else hasEncoded ||= encoded.text !== '';
    }
    return words > 0 || hasEncoded || this.#at === this.#text.length;
  }

  /** Reads the name in a comment after an address. */
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

  /** Skips spaces and comments; false if a comment is not closed. */
  #skipComments(): boolean {
    this.#skipSpace();
    while (this.#take('(')) {
      if (!this.#comment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  /** Reads the rest of a comment. Comments nest. */
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

/** All printable ASCII characters, and all others beyond ASCII. */
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

/** Reads an RFC 2047 encoded word, `=?utf-8?q?text?=`; undefined for other words. */
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

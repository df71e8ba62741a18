import { constants, createInflate, type Inflate } from 'node:zlib';

import { SpdyError } from './spdy-error.ts';

/** The headers of a stream, with lower-case names. */
export type SpdyHeaders = Readonly<Record<string, string>>;

/** The words of the dictionary that SPDY/3 compresses headers with, each preceded by its length. */
const WORDS =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'
    .split(' ')
    .concat('200 OK', 'version', 'HTTP/1.1', 'url', 'public', 'set-cookie', 'keep-alive', 'origin');

/** The rest of the dictionary: one text. */
const TAIL =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized' +
  '403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,' +
  'text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

/** The dictionary of SPDY/3, which both ends know. */
export const DICTIONARY: Buffer = Buffer.concat([
  ...WORDS.flatMap((word) => [lengthOf(word), Buffer.from(word)]),
  Buffer.from(TAIL),
]);

/** The header of a zlib stream with a dictionary: method, flags, Adler-32 of the dictionary. */
const ZLIB_HEADER = Buffer.from([0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2]);
/** An empty block, which makes the reader hand out what it has. */
const FLUSH = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]);
const MAX_STORED = 0xffff;

/**
 * Encodes header blocks. They form one zlib stream over the whole connection; its blocks are stored,
 * not compressed, because the headers are short and few.
 */
export class HeaderEncoder {
  #isFirst = true;

  encode(headers: SpdyHeaders): Buffer {
    const entries = Object.entries(headers);
    const plain = Buffer.concat([
      uint32(entries.length),
      ...entries.flatMap(([name, value]) => [name.toLowerCase(), value].flatMap(text)),
    ]);
    const parts: Buffer[] = this.#isFirst ? [ZLIB_HEADER] : [];
    this.#isFirst = false;
    for (let start = 0; start < plain.length; start += MAX_STORED) {
      const data = plain.subarray(start, start + MAX_STORED);
      const head = Buffer.alloc(5);
      head.writeUInt16LE(data.length, 1);
      head.writeUInt16LE(data.length ^ 0xffff, 3);
      parts.push(head, data);
    }
    return Buffer.concat([...parts, FLUSH]);
  }
}

/** The limit of a header block after decompression, so that a small frame cannot fill the memory. */
const MAX_BYTES = 64 * 1024;

/** Decodes header blocks, in the order in which they came. */
export class HeaderDecoder {
  readonly #inflate: Inflate;
  #output: Buffer[] = [];
  #size = 0;
  #fail: ((error: Error) => void) | undefined;

  constructor() {
    this.#inflate = createInflate({
      dictionary: DICTIONARY,
      flush: constants.Z_SYNC_FLUSH,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    this.#inflate.on('error', (error) => this.#fail?.(error));
    this.#inflate.on('readable', () => this.#drain());
  }

  /** Rejects with a {@link SpdyError} if the block is invalid; nothing can be decoded afterwards. */
  async decode(block: Buffer): Promise<SpdyHeaders> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#fail = reject;
        this.#inflate.write(block, () => resolve());
      });
    } catch (error) {
      throw new SpdyError('a header block cannot be decompressed', { cause: error });
    }
    this.#drain();
    if (this.#size > MAX_BYTES)
      throw new SpdyError(`a header block has more than ${MAX_BYTES} bytes`);
    const plain = Buffer.concat(this.#output);
    this.#output = [];
    this.#size = 0;
    return readHeaders(plain);
  }

  /** Releases the decompressor. */
  close(): void {
    this.#inflate.destroy();
  }

  #drain(): void {
    for (;;) {
      const chunk = this.#inflate.read() as Buffer | null;
      if (chunk === null) return;
      this.#size += chunk.length;
      if (this.#size <= MAX_BYTES) this.#output.push(chunk);
    }
  }
}

function readHeaders(plain: Buffer): SpdyHeaders {
  let position = 0;
  const number = (): number => {
    if (position + 4 > plain.length) throw new SpdyError('a header block is too short');
    position += 4;
    return plain.readUInt32BE(position - 4);
  };
  const string = (): string => {
    const length = number();
    if (position + length > plain.length) throw new SpdyError('a header block is too short');
    position += length;
    return plain.toString('latin1', position - length, position);
  };
  const count = number();
  const headers = new Map<string, string>();
  for (let index = 0; index < count; index += 1) headers.set(string().toLowerCase(), string());
  return Object.fromEntries(headers);
}

function text(value: string): Buffer[] {
  const bytes = Buffer.from(value, 'latin1');
  return [uint32(bytes.length), bytes];
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function lengthOf(word: string): Buffer {
  return uint32(word.length);
}

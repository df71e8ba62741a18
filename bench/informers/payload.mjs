// Bytes of a whole cluster, made from one object: every object has the same length, so that a copy
// of the first and a few digits written over it are the next. The server that replays them has
// next to nothing to do, and the program under test is the bottleneck.
import { readFileSync } from 'node:fs';
import { encodeProtobuf, watchFrameOf } from 'client-ts/codec';
import { parse } from 'yaml';

/** What differs between objects: a mark in the template, and what is written over it. */
const MARKS = {
  NAMEXX: (index) => index,
  NSPC: (index) => index % 50,
  UIDUIDUIDUID: (index) => index,
  NODE: (index) => index % 500,
  ADDR: (index) => 1000 + (index % 9000),
  VERSIONX: (index, version) => version,
};
/** Long enough that no version ever gets another digit. */
const FIRST_VERSION = 10_000_000;
/** The version of the list, and the one before the first event of a watch. */
const LIST_VERSION = 20_000_000;
const BLOCK_BYTES = 64 * 1024;

function template({ apiVersion, kind }) {
  const pod = parse(readFileSync(new URL('./pod.yaml', import.meta.url), 'utf8'));
  const { name: _, generateName, namespace: __, ...metadata } = pod.metadata;
  const address = '10.1.ADDR';
  return {
    kind,
    apiVersion,
    metadata: {
      name: 'web-NAMEXX',
      generateName,
      namespace: 'ns-NSPC',
      uid: '0c6f3c2e-0000-4000-8000-UIDUIDUIDUID',
      resourceVersion: 'VERSIONX',
      ...metadata,
    },
    spec: { ...pod.spec, nodeName: 'node-NODE' },
    status: { ...pod.status, podIP: address, podIPs: [{ ip: address }] },
  };
}

/** A custom resource of 1 KB, which has no managed fields and few others. */
function smallTemplate({ apiVersion, kind }) {
  return {
    apiVersion,
    kind,
    metadata: {
      creationTimestamp: '2026-10-01T10:00:00Z',
      generation: 1,
      labels: { app: 'app-NSPC', tier: 'frontend' },
      name: 'gadget-NAMEXX',
      namespace: 'ns-NSPC',
      resourceVersion: 'VERSIONX',
      uid: '0c6f3c2e-0000-4000-8000-UIDUIDUIDUID',
    },
    spec: { address: '10.1.ADDR', filling: 'x'.repeat(560), nodeName: 'node-NODE' },
    status: { observedGeneration: 1, phase: 'Ready' },
  };
}

/** The order in which a server writes what it keeps as JSON: custom resources. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/** The bytes of one object, with the places where objects differ. */
class Stencil {
  constructor(bytes) {
    this.bytes = Buffer.from(bytes);
    this.places = [];
    for (const [mark, value] of Object.entries(MARKS)) {
      let start = this.bytes.indexOf(mark);
      if (start === -1) throw new Error(`the template lacks ${mark}`);
      for (; start !== -1; start = this.bytes.indexOf(mark, start + 1)) {
        this.places.push({ start, end: start + mark.length, value });
      }
    }
  }

  /** The objects `from` to `to`, one after another, in blocks of about the size of a read. */
  *blocks(from, to, versionOf, indexOf = (position) => position) {
    const { length } = this.bytes;
    const perBlock = Math.max(1, Math.floor(BLOCK_BYTES / length));
    const pattern = Buffer.concat(Array.from({ length: perBlock }, () => this.bytes));
    for (let first = from; first < to; first += perBlock) {
      const count = Math.min(perBlock, to - first);
      const block = Buffer.allocUnsafeSlow(count * length);
      pattern.copy(block, 0, 0, block.length);
      for (let nth = 0; nth < count; nth += 1) {
        const index = indexOf(first + nth);
        this.#stamp(block, nth * length, index, versionOf(first + nth));
      }
      yield block;
    }
  }

  #stamp(block, offset, index, version) {
    for (const { start, end, value } of this.places) {
      let rest = value(index, version);
      for (let at = offset + end - 1; at >= offset + start; at -= 1) {
        block[at] = 0x30 + (rest % 10);
        rest = Math.floor(rest / 10);
      }
    }
  }
}

/** As HTTP/1.1 wraps a piece of a body: servers send each event in a chunk of its own. */
function chunked(bytes) {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ]);
}

/** One resource in one encoding. `wrap` is `chunked` for those who write to a bare socket. */
class Payload {
  constructor({ contentType, watchType, item, frame, list, bookmark }, wrap) {
    this.contentType = contentType;
    this.watchType = watchType;
    this.list = list;
    this.item = new Stencil(item);
    this.added = new Stencil(wrap(frame('ADDED')));
    this.modified = new Stencil(wrap(frame('MODIFIED')));
    this.bookmark = wrap(bookmark);
  }

  /** A page of the list, or all of it: its length, then its blocks. */
  page(from, to, isLast) {
    const { head, tail, cut = 0 } = this.list(to - from, isLast ? '' : String(to));
    const size = (to - from) * this.item.bytes.length - cut;
    const items = this.item.blocks(from, to, (index) => FIRST_VERSION + index);
    return {
      size: head.length + size + tail.length,
      *blocks() {
        yield head;
        let left = size;
        for (const block of items) {
          yield left < block.length ? block.subarray(0, left) : block;
          left -= block.length;
        }
        yield tail;
      },
    };
  }

  /** Everything there is as ADDED events, and the bookmark that ends them. */
  *initialEvents(count) {
    yield* this.added.blocks(0, count, (index) => FIRST_VERSION + index);
    yield this.bookmark;
  }

  /** The changes `from` to `to`: of one object after another, each with a higher version than the last. */
  modifications(objects, from, to) {
    const versionOf = (position) => LIST_VERSION + 1 + position;
    return this.modified.blocks(from, to, versionOf, (position) => position % objects);
  }
}

const bookmarkOf = ({ apiVersion, kind }) => ({
  kind,
  apiVersion,
  metadata: {
    resourceVersion: String(LIST_VERSION),
    creationTimestamp: null,
    annotations: { 'k8s.io/initial-events-end': 'true' },
  },
});

function jsonPayload(object, wrap) {
  const { apiVersion, kind } = object;
  const item = JSON.stringify(object);
  const frameOf = (type, text) => Buffer.from(`{"type":"${type}","object":${text}}\n`);
  return new Payload(
    {
      contentType: 'application/json',
      watchType: 'application/json',
      item: `${item},`,
      frame: (type) => frameOf(type, item),
      bookmark: frameOf('BOOKMARK', JSON.stringify(bookmarkOf({ apiVersion, kind }))),
      list: (count, next) => {
        const metadata = { resourceVersion: String(LIST_VERSION), ...(next && { continue: next }) };
        const head = JSON.stringify({ kind: `${kind}List`, apiVersion, metadata });
        return {
          head: Buffer.from(`${head.slice(0, -1)},"items":[`),
          tail: Buffer.from(']}\n'),
          // There is no comma after the last.
          cut: count > 0 ? 1 : 0,
        };
      },
    },
    wrap,
  );
}

function varint(value) {
  const bytes = [];
  for (; value > 0x7f; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return Buffer.from([...bytes, value]);
}
const field = (number, bytes) =>
  Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes]);

/** Where the message lies in an envelope: from its first byte to the two empty fields at its end. */
function messageIn(envelope, size) {
  return envelope.subarray(envelope.length - 4 - size, envelope.length - 4);
}

function protobufPayload({ apiVersion, kind }, wrap) {
  const object = template({ apiVersion, kind });
  const envelope = Buffer.from(encodeProtobuf(object));
  const typeMeta = (name) =>
    field(1, Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(name))]));
  const overhead = 4 + typeMeta(kind).length + 1 + 4;
  // The length before the message has two or three bytes.
  const size = [2, 3]
    .map((digits) => envelope.length - overhead - digits)
    .find((guess) => overhead + varint(guess).length + guess === envelope.length);
  const item = field(2, messageIn(envelope, size));
  return new Payload(
    {
      contentType: 'application/vnd.kubernetes.protobuf',
      watchType: 'application/vnd.kubernetes.protobuf;stream=watch',
      item,
      frame: (type) => Buffer.from(watchFrameOf(type, envelope)),
      bookmark: Buffer.from(
        watchFrameOf('BOOKMARK', encodeProtobuf(bookmarkOf({ apiVersion, kind }))),
      ),
      list: (count, next) => {
        const metadata = field(
          1,
          Buffer.concat([
            field(2, Buffer.from(String(LIST_VERSION))),
            ...(next ? [field(3, Buffer.from(next))] : []),
          ]),
        );
        const length = metadata.length + count * item.length;
        const start = [Buffer.from('k8s\0'), typeMeta(`${kind}List`), Buffer.from([0x12])];
        return {
          head: Buffer.concat([...start, varint(length), metadata]),
          tail: Buffer.from([0x1a, 0, 0x22, 0]),
        };
      },
    },
    wrap,
  );
}

const POD = { apiVersion: 'v1', kind: 'Pod' };
const WIDGET = { apiVersion: 'bench.example.com/v1', kind: 'Widget' };
const GADGET = { apiVersion: 'bench.example.com/v1', kind: 'Gadget' };

/** All that can be asked for, by path: bytes for sockets, or bare ones for a transport. */
export function payloads({ forSocket }) {
  const wrap = forSocket ? chunked : (bytes) => bytes;
  return {
    '/api/v1/pods': {
      protobuf: protobufPayload(POD, wrap),
      json: jsonPayload(template(POD), wrap),
    },
    '/apis/bench.example.com/v1/widgets': {
      json: jsonPayload(sorted(template(WIDGET)), wrap),
    },
    '/apis/bench.example.com/v1/gadgets': {
      json: jsonPayload(smallTemplate(GADGET), wrap),
    },
  };
}

/** Reads what a client wants. Undefined if there is nothing of that kind. */
export function requestOf(path, accept, all) {
  const { pathname, searchParams } = new URL(path, 'http://replay');
  const encodings = all[pathname];
  if (encodings === undefined) return undefined;
  const wantsProtobuf = accept.startsWith('application/vnd.kubernetes.protobuf');
  return {
    payload: (wantsProtobuf && encodings.protobuf) || encodings.json,
    isWatch: ['1', 'true'].includes(searchParams.get('watch') ?? ''),
    wantsInitialEvents: searchParams.get('sendInitialEvents') === 'true',
    // A server that lists from its own cache does not page.
    limit: searchParams.get('resourceVersion') === '0' ? 0 : Number(searchParams.get('limit')),
    from: Number(searchParams.get('continue')),
  };
}

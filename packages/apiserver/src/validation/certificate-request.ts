// Upstream: pkg/apis/certificates/helpers.go: ParseCSR
import { createPublicKey, verify } from 'node:crypto';

/** A certificate signing request (PKCS #10), as far as the API looks into it. */
export interface CertificateRequest {
  /** The organizations of the subject, which become groups. */
  readonly organizations: readonly string[];
  /** What a server says is wrong with it; undefined if it is valid. */
  readonly problem: string | undefined;
}

const TYPE = 'CERTIFICATE REQUEST';
const ORGANIZATION = '55040a';

/** Parses a request in PEM, and checks its signature. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const [, type, body = ''] =
    /-----BEGIN ([^-]+)-----\n([A-Za-z0-9+/=\s]*)-----END \1-----/.exec(pem) ?? [];
  if (type !== TYPE) return broken(`PEM block type must be ${TYPE}`);
  const [request] = readValues(Buffer.from(body, 'base64'));
  const [signed, algorithm, signature] = childrenOf(request);
  const [, subject, publicKey] = childrenOf(signed);
  const [oid] = childrenOf(algorithm);
  if (!signed || !subject || !publicKey || !oid || !signature) {
    return broken('asn1: structure error: not a certificate request');
  }
  const problem = checkSignature(oid, publicKey, signed, signature);
  return { organizations: organizationsIn(subject), problem };
}

function broken(problem: string): CertificateRequest {
  return { organizations: [], problem };
}

/** One value of DER: its tag, its content and all its bytes. */
interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

const CONSTRUCTED = 0x20;
const LONGEST_LENGTH = 4;

/** Reads the values in a row; none if they are malformed. */
function readValues(bytes: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const value = readValue(rest);
    if (value === undefined) return [];
    values.push(value);
    rest = rest.subarray(value.whole.length);
  }
  return values;
}

function readValue(bytes: Buffer): DerValue | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  // Up to 127 the length is in one byte; above that, the byte has the number of its bytes.
  const extra = first < 0x80 ? 0 : first - 0x80;
  const begin = 2 + extra;
  if (extra > LONGEST_LENGTH || begin > bytes.length) return undefined;
  const end = begin + (extra === 0 ? first : bytes.readUIntBE(2, extra));
  if (end > bytes.length) return undefined;
  return { tag, content: bytes.subarray(begin, end), whole: bytes.subarray(0, end) };
}

function childrenOf(value: DerValue | undefined): DerValue[] {
  return value !== undefined && (value.tag & CONSTRUCTED) !== 0 ? readValues(value.content) : [];
}

/** A name is a sequence of sets of pairs of type and text. */
function organizationsIn(subject: DerValue): string[] {
  return childrenOf(subject)
    .flatMap(childrenOf)
    .flatMap((pair) => {
      const [type, text] = childrenOf(pair);
      const isOrganization = type?.content.toString('hex') === ORGANIZATION;
      return isOrganization && text ? [text.content.toString()] : [];
    });
}

interface Algorithm {
  /** Undefined if the algorithm hashes by itself. */
  readonly hash: string | undefined;
  readonly failure: string;
}

const RSA = 'crypto/rsa: verification error';
const ECDSA = 'x509: ECDSA verification failure';

/** The algorithms of signatures, by their object identifiers. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['2a864886f70d01010b', { hash: 'sha256', failure: RSA }],
  ['2a864886f70d01010c', { hash: 'sha384', failure: RSA }],
  ['2a864886f70d01010d', { hash: 'sha512', failure: RSA }],
  ['2a8648ce3d040302', { hash: 'sha256', failure: ECDSA }],
  ['2a8648ce3d040303', { hash: 'sha384', failure: ECDSA }],
  ['2a8648ce3d040304', { hash: 'sha512', failure: ECDSA }],
  ['2b6570', { hash: undefined, failure: 'x509: Ed25519 verification failure' }],
]);

/** Returns what is wrong with a signature. */
function checkSignature(
  oid: DerValue,
  publicKey: DerValue,
  signed: DerValue,
  { content }: DerValue,
): string | undefined {
  const algorithm = ALGORITHMS.get(oid.content.toString('hex'));
  if (algorithm === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  const { hash, failure } = algorithm;
  try {
    const key = createPublicKey({ key: publicKey.whole, format: 'der', type: 'spki' });
    // The first byte of a bit string is the number of unused bits.
    return verify(hash, signed.whole, key, content.subarray(1)) ? undefined : failure;
  } catch {
    return 'x509: malformed public key';
  }
}

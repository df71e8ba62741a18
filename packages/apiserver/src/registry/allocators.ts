import { ClientError, defineErrors, type Random } from 'client-ts/internal';
import { formatIP, type IPFamily, maskedBytes, parseCIDR, parseIP } from '../validation/ip.ts';
import type { Allocators } from './strategy.ts';

const ALLOCATION_ERRORS = {
  APISERVER_ALLOCATION_FULL: { retry: 'never', when: 'The range has no free value.' },
  APISERVER_ALLOCATION_OUT_OF_RANGE: {
    retry: 'never',
    when: 'The requested value is outside the range of the cluster.',
  },
  APISERVER_ALLOCATION_TAKEN: { retry: 'never', when: 'The requested value is already allocated.' },
} as const;

/** A cluster IP or node port that cannot be allocated. The message is kube-apiserver's. */
export class AllocationError extends ClientError {
  declare readonly code: keyof typeof ALLOCATION_ERRORS;

  constructor(reason: 'FULL' | 'OUT_OF_RANGE' | 'TAKEN', message: string) {
    super(`APISERVER_ALLOCATION_${reason}`, message);
  }

  static {
    defineErrors(this, 'AllocationError', 'APISERVER', ALLOCATION_ERRORS);
  }
}

/**
 * The allocations of one request. Values are taken immediately, so that no other request gets them;
 * released values stay taken until `commit`. Either `commit` or `revert` must be called.
 */
export interface AllocatorTransaction extends Allocators {
  commit(): void;
  revert(): void;
}

/** The ranges to allocate from. */
export interface ServiceAllocatorsOptions {
  readonly random: Random;
  /** One CIDR block, or one of each family with the default family first. Default `10.0.0.0/24`. */
  readonly serviceCIDRs?: readonly string[] | undefined;
  /** Further blocks that addresses may come from, now. Default: none. */
  readonly moreCIDRs?: (() => readonly string[]) | undefined;
  /** Returns true for addresses that must not be allocated, though no service has them. Default: none. */
  readonly isReserved?: ((address: string) => boolean) | undefined;
  /** First and last node port. Default 30000 to 32767. */
  readonly nodePorts?: readonly [number, number] | undefined;
}

/**
 * The cluster IPs and node ports of one server. Chooses at random, from the upper part of a range
 * first, because clients usually request low addresses.
 */
export class ServiceAllocators implements Allocators {
  readonly ipFamilies: readonly IPFamily[];
  /** The blocks that cluster IPs are always allocated from. */
  readonly serviceCIDRs: readonly string[];
  readonly #moreCIDRs: () => readonly string[];
  readonly #addresses: ReadonlyMap<IPFamily, Pool>;
  /** The ranges of blocks, by their text. */
  readonly #ranges = new Map<string, AddressRange>();
  readonly #ports: Pool;
  readonly #portRange: NumberRange;

  constructor({
    random,
    serviceCIDRs = ['10.0.0.0/24'],
    moreCIDRs = () => [],
    isReserved = () => false,
    nodePorts: [firstPort, lastPort] = [30_000, 32_767],
  }: ServiceAllocatorsOptions) {
    this.serviceCIDRs = serviceCIDRs;
    this.#moreCIDRs = moreCIDRs;
    const ranges = serviceCIDRs.map((cidr) => this.#rangeOf(cidr));
    this.#addresses = new Map(
      ranges.map(({ family }) => [
        family,
        new Pool(random, (number) => isReserved(formatAddress(family, number))),
      ]),
    );
    this.ipFamilies = ranges.map(({ family }) => family);
    if (ranges.length === 0 || this.#addresses.size !== ranges.length) {
      throw new TypeError('serviceCIDRs needs one block, or one of each IP family');
    }
    const reserve = { least: 16, most: 128, share: 32n };
    this.#portRange = rangeBetween(BigInt(firstPort), BigInt(lastPort), reserve);
    this.#ports = new Pool(random);
  }

  clusterIP(family: IPFamily, wanted: string | undefined): string {
    const pool = this.#addresses.get(family);
    const ranges = pool === undefined ? [] : this.#rangesOf(family);
    if (wanted === undefined) {
      for (const range of ranges) {
        const taken = pool?.takeAny(range);
        if (taken !== undefined) return formatAddress(family, taken);
      }
      throw new AllocationError('FULL', 'range is full');
    }
    const address = addressNumber(wanted);
    if (address === undefined || !ranges.some((range) => contains(range, address))) {
      const message = 'the provided network does not match the current range';
      throw new AllocationError('OUT_OF_RANGE', message);
    }
    if (pool?.take(address) !== true) {
      throw new AllocationError('TAKEN', 'provided IP is already allocated');
    }
    return wanted;
  }

  /** Takes the address of a stored service, whatever the ranges are now. */
  claimClusterIP(text: string): void {
    const family = parseIP(text)?.family;
    const address = addressNumber(text);
    if (family === undefined || address === undefined) return;
    this.#addresses.get(family)?.claim(address);
  }

  releaseClusterIP(address: string): void {
    const family = parseIP(address)?.family;
    const number = addressNumber(address);
    if (family === undefined || number === undefined) return;
    this.#addresses.get(family)?.release(number);
  }

  nodePort(wanted: number | undefined): number {
    const { first, last } = this.#portRange;
    if (wanted === undefined) {
      const taken = this.#ports.takeAny(this.#portRange);
      if (taken === undefined) throw new AllocationError('FULL', 'range is full');
      return Number(taken);
    }
    if (!contains(this.#portRange, BigInt(wanted))) {
      const message = `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
      throw new AllocationError('OUT_OF_RANGE', message);
    }
    if (!this.#ports.take(BigInt(wanted))) {
      throw new AllocationError('TAKEN', 'provided port is already allocated');
    }
    return wanted;
  }

  releaseNodePort(port: number): void {
    this.#ports.release(BigInt(port));
  }

  /** Starts the allocations of one request. */
  begin(): AllocatorTransaction {
    const onRevert: (() => void)[] = [];
    const onCommit: (() => void)[] = [];
    return {
      ipFamilies: this.ipFamilies,
      clusterIP: (family, wanted) => {
        const address = this.clusterIP(family, wanted);
        onRevert.push(() => this.releaseClusterIP(address));
        return address;
      },
      releaseClusterIP: (address) => {
        onCommit.push(() => this.releaseClusterIP(address));
      },
      nodePort: (wanted) => {
        const port = this.nodePort(wanted);
        onRevert.push(() => this.releaseNodePort(port));
        return port;
      },
      releaseNodePort: (port) => {
        onCommit.push(() => this.releaseNodePort(port));
      },
      commit: () => {
        for (const release of onCommit.splice(0)) release();
        onRevert.length = 0;
      },
      revert: () => {
        for (const release of onRevert.splice(0)) release();
        onCommit.length = 0;
      },
    };
  }

  /** The ranges of one family, those that it always has first. */
  #rangesOf(family: IPFamily): AddressRange[] {
    return [...this.serviceCIDRs, ...this.#moreCIDRs()]
      .map((cidr) => this.#rangeOf(cidr))
      .filter((range) => range.family === family);
  }

  #rangeOf(cidr: string): AddressRange {
    const known = this.#ranges.get(cidr) ?? addressRange(cidr);
    this.#ranges.set(cidr, known);
    return known;
  }
}

/** Numbers from the first to the last; the lower part is kept for explicit requests. */
interface NumberRange {
  readonly first: bigint;
  readonly last: bigint;
  /** The size of the lower part. */
  readonly reserve: bigint;
}

interface AddressRange extends NumberRange {
  readonly family: IPFamily;
}

/** The size of the lower part: a share of the range, within bounds. */
interface Reserve {
  readonly least: number;
  readonly most: number;
  readonly share: bigint;
}

function rangeBetween(first: bigint, last: bigint, { least, most, share }: Reserve): NumberRange {
  const size = last - first + 1n;
  const wanted = Math.min(Math.max(Number(size / share), least), most);
  return { first, last, reserve: size <= BigInt(least) ? 0n : BigInt(wanted) };
}

function contains({ first, last }: NumberRange, value: bigint): boolean {
  return value >= first && value <= last;
}

function addressRange(text: string): AddressRange {
  const cidr = parseCIDR(text);
  if (cidr === undefined) throw new TypeError(`serviceCIDRs: ${text} is no address block`);
  const network = toNumber(maskedBytes(cidr));
  const size = 1n << BigInt(cidr.bytes.length * 8 - cidr.prefixLength);
  // The network address is never allocated, and neither is the IPv4 broadcast address.
  const last = network + size - (cidr.family === 'IPv4' ? 2n : 1n);
  const range = rangeBetween(network + 1n, last, { least: 16, most: 256, share: 16n });
  return { family: cidr.family, ...range };
}

function toNumber(bytes: readonly number[]): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function addressNumber(text: string): bigint | undefined {
  const address = parseIP(text);
  return address && toNumber(address.bytes);
}

function formatAddress(family: IPFamily, address: bigint): string {
  const length = family === 'IPv4' ? 4 : 16;
  const bytes = Array.from({ length }, (_, index) =>
    Number((address >> BigInt((length - 1 - index) * 8)) & 0xffn),
  );
  return formatIP({ family, bytes });
}

/** The numbers that are taken, of all ranges. */
class Pool {
  readonly #random: Random;
  readonly #isReserved: (value: bigint) => boolean;
  readonly #taken = new Set<bigint>();

  constructor(random: Random, isReserved: (value: bigint) => boolean = () => false) {
    this.#random = random;
    this.#isReserved = isReserved;
  }

  take(value: bigint): boolean {
    if (this.#taken.has(value) || this.#isReserved(value)) return false;
    this.#taken.add(value);
    return true;
  }

  claim(value: bigint): void {
    this.#taken.add(value);
  }

  release(value: bigint): void {
    this.#taken.delete(value);
  }

  takeAny({ first, last, reserve }: NumberRange): bigint | undefined {
    const border = first + reserve;
    return this.#takeBetween(border, last) ?? this.#takeBetween(first, border - 1n);
  }

  /** Starts at a random value and takes the next free one, so it finds one if there is any. */
  #takeBetween(first: bigint, last: bigint): bigint | undefined {
    const size = last - first + 1n;
    if (size <= 0n) return undefined;
    const start = BigInt(Math.floor(this.#random.next() * Number(size)));
    for (let step = 0n; step < size; step += 1n) {
      const value = first + ((start + step) % size);
      if (this.take(value)) return value;
    }
    return undefined;
  }
}

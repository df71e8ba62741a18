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
  /** First and last node port. Default 30000 to 32767. */
  readonly nodePorts?: readonly [number, number] | undefined;
}

/**
 * The cluster IPs and node ports of one server. Chooses at random, from the upper part of a range
 * first, because clients usually request low addresses.
 */
export class ServiceAllocators implements Allocators {
  readonly ipFamilies: readonly IPFamily[];
  /** The blocks that cluster IPs are allocated from. */
  readonly serviceCIDRs: readonly string[];
  readonly #addresses: ReadonlyMap<IPFamily, AddressRange>;
  readonly #ports: Pool;
  readonly #portRange: string;

  constructor({
    random,
    serviceCIDRs = ['10.0.0.0/24'],
    nodePorts: [firstPort, lastPort] = [30_000, 32_767],
  }: ServiceAllocatorsOptions) {
    this.serviceCIDRs = serviceCIDRs;
    const ranges = serviceCIDRs.map((cidr) => addressRange(cidr, random));
    this.#addresses = new Map(ranges.map((range) => [range.family, range]));
    this.ipFamilies = ranges.map(({ family }) => family);
    if (ranges.length === 0 || this.#addresses.size !== ranges.length) {
      throw new TypeError('serviceCIDRs needs one block, or one of each IP family');
    }
    const reserved = { least: 16, most: 128, share: 32n };
    this.#ports = new Pool(BigInt(firstPort), BigInt(lastPort), reserved, random);
    this.#portRange = `${firstPort}-${lastPort}`;
  }

  clusterIP(family: IPFamily, wanted: string | undefined): string {
    const range = this.#addresses.get(family);
    if (wanted === undefined) {
      const taken = range?.pool.takeAny();
      if (range === undefined || taken === undefined) {
        throw new AllocationError('FULL', 'range is full');
      }
      return formatAddress(range.family, taken);
    }
    const address = addressNumber(wanted);
    if (range === undefined || address === undefined || !range.pool.contains(address)) {
      const message = 'the provided network does not match the current range';
      throw new AllocationError('OUT_OF_RANGE', message);
    }
    if (!range.pool.take(address)) {
      throw new AllocationError('TAKEN', 'provided IP is already allocated');
    }
    return wanted;
  }

  releaseClusterIP(address: string): void {
    const family = parseIP(address)?.family;
    const number = addressNumber(address);
    if (family === undefined || number === undefined) return;
    this.#addresses.get(family)?.pool.release(number);
  }

  nodePort(wanted: number | undefined): number {
    if (wanted === undefined) {
      const taken = this.#ports.takeAny();
      if (taken === undefined) throw new AllocationError('FULL', 'range is full');
      return Number(taken);
    }
    if (!this.#ports.contains(BigInt(wanted))) {
      const message = `provided port is not in the valid range. The range of valid ports is ${this.#portRange}`;
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
}

interface AddressRange {
  readonly family: IPFamily;
  readonly pool: Pool;
}

function addressRange(text: string, random: Random): AddressRange {
  const cidr = parseCIDR(text);
  if (cidr === undefined) throw new TypeError(`serviceCIDRs: ${text} is no address block`);
  const network = toNumber(maskedBytes(cidr));
  const size = 1n << BigInt(cidr.bytes.length * 8 - cidr.prefixLength);
  // The network address is never allocated, and neither is the IPv4 broadcast address.
  const last = network + size - (cidr.family === 'IPv4' ? 2n : 1n);
  const reserved = { least: 16, most: 256, share: 16n };
  return { family: cidr.family, pool: new Pool(network + 1n, last, reserved, random) };
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

/** The lower part of a range, kept for explicit requests. */
interface Reserve {
  readonly least: number;
  readonly most: number;
  readonly share: bigint;
}

class Pool {
  readonly #first: bigint;
  readonly #last: bigint;
  readonly #reserve: bigint;
  readonly #random: Random;
  readonly #taken = new Set<bigint>();

  constructor(first: bigint, last: bigint, { least, most, share }: Reserve, random: Random) {
    const size = last - first + 1n;
    this.#first = first;
    this.#last = last;
    this.#random = random;
    const wanted = Math.min(Math.max(Number(size / share), least), most);
    this.#reserve = size <= BigInt(least) ? 0n : BigInt(wanted);
  }

  contains(value: bigint): boolean {
    return value >= this.#first && value <= this.#last;
  }

  take(value: bigint): boolean {
    if (this.#taken.has(value)) return false;
    this.#taken.add(value);
    return true;
  }

  release(value: bigint): void {
    this.#taken.delete(value);
  }

  takeAny(): bigint | undefined {
    const border = this.#first + this.#reserve;
    return this.#takeBetween(border, this.#last) ?? this.#takeBetween(this.#first, border - 1n);
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

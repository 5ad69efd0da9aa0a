/** What a decoder may use at most. */
export interface DecoderLimits {
  /** Memory that it and its children may hold together. */
  readonly memoryBytes: number;
  /** Address space; undefined for a runtime that reserves far more than it uses. */
  readonly addressBytes?: number;
  readonly cpuSeconds: number;
  readonly fileBytes: number;
}

/** A program that reads a stranger's file, and all that it needs to see for it. Paths are absolute. */
export interface DecoderCall {
  readonly command: string;
  readonly args: readonly string[];
  /** Files and folders that the program itself consists of, beside the libraries of the system. */
  readonly programs: readonly string[];
  readonly inputs: readonly string[];
  /** Folders that it may write into. */
  readonly outputs: readonly string[];
  readonly limits: DecoderLimits;
}

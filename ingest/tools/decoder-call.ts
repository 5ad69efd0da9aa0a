import type { ToolResult } from './run-tool.ts';

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

/** How a call goes on and ends, beside what it may see and use. */
export interface DecoderRun {
  readonly timeoutMs: number;
  /** Ends a program that says nothing new for so long; undefined for one that need not speak. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets standard output line by line; what it answers says whether the line is a sign of progress. */
  readonly onLine?: ((line: string) => boolean) | undefined;
}

/**
 * Runs a decoder to its end. What it leaves in its outputs belongs to this process; anything there but plain files and folders is an
 * error. Throws what `runTool` and `lendFiles` throw, and when what holds decoders cannot be put up: that is no verdict on what it was
 * to read.
 */
export type RunDecoder = (call: DecoderCall, run: DecoderRun) => Promise<ToolResult>;

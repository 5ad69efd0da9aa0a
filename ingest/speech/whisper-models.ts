import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A model of Whisper in the form of whisper.cpp that can be fetched: its size and its checksum are known. */
export interface WhisperModel {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly goodAt: string;
}

/** Where they come from; RUSHES_MODEL_HUB says by which server. */
export const whisperRepository = {
  name: 'ggerganov/whisper.cpp',
  revision: '5359861c739e955e79d9a303bcbc70fb988958b1',
  licence: 'MIT',
};

/** What whoever made them says of them; they were not measured on footage here. */
const notMeasured = 'Not measured here.';

/** The better ones first, and those for English before others of their size. */
export const whisperModels: readonly WhisperModel[] = [
  {
    name: 'small.en',
    bytes: 487_614_201,
    sha256: 'c6138d6d58ecc8322097e0f987c32f1be8bb0a18532a3f88f734d1bbf9c41e5d',
    goodAt: `English, with fewer errors than base.en at about three times its work. ${notMeasured}`,
  },
  {
    name: 'small',
    bytes: 487_601_967,
    sha256: '1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b',
    goodAt: `Many languages, with fewer errors than base at about three times its work. ${notMeasured}`,
  },
  {
    name: 'base.en',
    bytes: 147_964_211,
    sha256: 'a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002',
    goodAt: `English; the smallest that is worth its while. ${notMeasured}`,
  },
  {
    name: 'base',
    bytes: 147_951_465,
    sha256: '60ed5bc3dd14eea856493d334349b405782ddcaf0028d4b5df4088345fba2efe',
    goodAt: `Many languages; the smallest that is worth its while. ${notMeasured}`,
  },
];

/** What its file is called, here and there. */
export function whisperFileName({ name }: Pick<WhisperModel, 'name'>): string {
  return `ggml-${name}.bin`;
}

/** Whether it was fetched into this folder. */
export async function isModelHere(folder: string, model: Pick<WhisperModel, 'name'>): Promise<boolean> {
  return await stat(join(folder, whisperFileName(model))).then(
    (file) => file.isFile(),
    () => false,
  );
}

/** Whether a model hears English only, by its name. */
export function isEnglishOnly(name: string): boolean {
  return /\.en\b/.test(name);
}

import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { openPool } from '#domain/db/database.ts';
import { errorMessage } from '#domain/db/error-message.ts';
import { openEncoder } from '#domain/meaning/encoder/open-encoder.ts';
import { type MeaningAnswer, MeaningOrders, MeaningQuestion } from '#domain/meaning/meaning-messages.ts';
import { NearestFilms } from '#domain/meaning/nearest-films.ts';
import { signsOf } from '#domain/meaning/signs.ts';

/** Films are read for one question after the other. */
const connectionsMax = 2;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
try {
  await run(MeaningOrders.parse(JSON.parse((await lines.next()).value ?? '')));
} catch (error) {
  process.stderr.write(`${errorMessage(error)}\n`);
  process.exitCode = 1;
}
// Whoever asked is gone, or needs no more; what still holds this process open is not waited for.
process.exit();

/** Answers questions until the pipe ends. */
async function run({ address }: MeaningOrders): Promise<void> {
  const encoder = await openEncoder();
  const films = address ? new NearestFilms(openPool(address, { maxConnections: connectionsMax }), encoder) : null;
  const answer = async (question: z.infer<typeof MeaningQuestion>) => {
    if ('encode' in question) return signsOf(await encoder.encode(question.encode)).toString('base64');
    if (!films) throw new Error('This child looks for no films.');
    return 'find' in question ? await films.find(question.find, question) : await films.places(question.places, question.films);
  };
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const question = MeaningQuestion.parse(JSON.parse(line.value));
    const { id } = question;
    say(
      await answer(question).then(
        (result) => ({ id, result }),
        (error: unknown) => ({ id, error: errorMessage(error) }),
      ),
    );
  }
}

function say(answer: z.infer<typeof MeaningAnswer>): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** The index cannot be asked: it is being built and there is none to read meanwhile, or what there is cannot be read. */
export class IndexNotReady extends Error {
  override readonly name = 'IndexNotReady';
  readonly state: 'building' | 'damaged';

  constructor(state: 'building' | 'damaged', cause?: unknown) {
    super(state === 'building' ? 'The search index is being built.' : 'The search index cannot be read and is being rebuilt.', {
      cause,
    });
    this.state = state;
  }
}

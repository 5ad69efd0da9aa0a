/** Why the pins of an archive cannot be asked: what happened and what to do, for the operator. */
export class RelevanceFault extends Error {}

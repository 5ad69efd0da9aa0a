/** One e-mail to one person. */
export interface Mail {
  /** As `parseEmail` writes it. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What takes e-mails away: a mail server, or the mailbox of a practice archive. */
export interface Mailer {
  /** Hands an e-mail over. Throws `AddressRefused` when the mail server does not take the address, another error when it failed or was stopped. */
  send(mail: Mail, stop?: AbortSignal): Promise<void>;
  /** Takes about as long as an e-mail would without sending one, so that nobody sees the difference; throws when the server was away and still is. */
  pretend(): Promise<void>;
  close(): void;
}

/** The mail server says that this address takes no mail, and would say so again. */
export class AddressRefused extends Error {
  constructor(options: { cause: unknown }) {
    super('The mail server does not accept this address.', options);
    this.name = 'AddressRefused';
  }
}

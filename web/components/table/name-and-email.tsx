/** Who somebody is. Both are others' text: each is kept apart from what stands around it. */
export function NameAndEmail({ person }: { person: { readonly displayName: string; readonly email: string } }) {
  return (
    <>
      <b>
        <bdi>{person.displayName}</bdi>
      </b>
      <small>
        <bdi>{person.email}</bdi>
      </small>
    </>
  );
}

import { chooseTheme, useTheme } from '#web/theme/theme.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export function ThemeButton() {
  const { choice, shown } = useTheme();
  return (
    <IconButton
      icon={shown === 'dark' ? 'sun' : 'moon'}
      label={`Colour theme: ${choice}`}
      onClick={() => chooseTheme(shown === 'dark' ? 'light' : 'dark')}
    />
  );
}

import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

// The patina of a bell: the one interactive colour. Shade 8 carries white text (WCAG AA).
const verdigris: MantineColorsTuple = [
  '#e8f5f3',
  '#d2e8e5',
  '#a6d1cc',
  '#77b9b2',
  '#50a59d',
  '#379890',
  '#25837c',
  '#176f69',
  '#0b5f5c',
  '#064b49',
];

// Mantine's neutrals in the tokens' hues, for what it draws without asking for a token.
const gray: MantineColorsTuple = [
  '#f8f8f5',
  '#f0efea',
  '#e6e5de',
  '#d9d7ce',
  '#c6c4b9',
  '#a5a69c',
  '#7f837d',
  '#626863',
  '#474d49',
  '#1b1f1d',
];
const dark: MantineColorsTuple = [
  '#e7eae7',
  '#b8beba',
  '#939b97',
  '#6b7370',
  '#454e4b',
  '#2b3230',
  '#1f2423',
  '#181c1b',
  '#111413',
  '#0d100f',
];

/** Mantine's theme: sizes and fonts of the console; colours come from the tokens. */
export const theme = createTheme({
  primaryColor: 'verdigris',
  colors: { verdigris, gray, dark },
  primaryShade: 8,
  autoContrast: true,
  fontFamily: 'var(--bf-font)',
  fontFamilyMonospace: 'var(--bf-mono)',
  headings: { fontFamily: 'var(--bf-font)', fontWeight: '600' },
  defaultRadius: 'sm',
  radius: { sm: 'var(--bf-radius)' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: {
      styles: { label: { fontWeight: 550 } },
      // Hints below: fields side by side stay on one line, whatever the length of their hints.
      defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
    },
    Button: { defaultProps: { size: 'xs', fw: 550 } },
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: {
      defaultProps: {
        size: 'xs',
        checkIconPosition: 'right',
        allowDeselect: false,
        // Hundreds of zones or apps are drawn only while the list is open.
        comboboxProps: { keepMounted: false },
      },
    },
    MultiSelect: {
      defaultProps: { size: 'xs' },
      // As tall as a Select while its values fit on one line; the names in a size that can be read.
      styles: {
        input: { paddingBlock: 0 },
        pillsList: { minHeight: 'calc(1.875rem - 2px)', alignItems: 'center' },
        pill: { height: '18px', fontSize: '11px' },
        inputField: { minWidth: '40px' },
      },
    },
    NumberInput: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    SegmentedControl: {
      defaultProps: { size: 'xs' },
      styles: { label: { fontWeight: 500, paddingInline: 9 } },
    },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: false, multiline: true } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
    // A header element in a dialog would count as a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // The place that Mantine puts the focus into at first is no entry, as a menu's children must be.
    Menu: {
      defaultProps: {
        position: 'bottom-end',
        shadow: 'md',
        width: 220,
        withInitialFocusPlaceholder: false,
      },
    },
  },
});

/** Points Mantine's own variables at the tokens, the same in both schemes. */
export const tokens: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--bf-surface)',
    '--mantine-color-text': 'var(--bf-ink)',
    '--mantine-color-dimmed': 'var(--bf-ink-3)',
    '--mantine-color-placeholder': 'var(--bf-ink-3)',
    '--mantine-color-anchor': 'var(--bf-accent)',
    '--mantine-color-error': 'var(--bf-fail)',
    '--mantine-color-default': 'var(--bf-surface)',
    '--mantine-color-default-hover': 'var(--bf-hover)',
    '--mantine-color-default-color': 'var(--bf-ink)',
    '--mantine-color-default-border': 'var(--bf-line-strong)',
    '--mantine-color-disabled': 'var(--bf-sunken)',
    '--mantine-color-disabled-color': 'var(--bf-ink-3)',
    '--mantine-color-disabled-border': 'var(--bf-line)',
    '--mantine-color-gray-light-color': 'var(--bf-ink-2)',
    '--mantine-color-gray-light-hover': 'var(--bf-hover)',
    '--mantine-color-verdigris-light': 'var(--bf-accent-soft)',
    '--mantine-color-verdigris-light-color': 'var(--bf-accent)',
    '--mantine-color-verdigris-text': 'var(--bf-accent)',
    '--mantine-color-verdigris-outline': 'var(--bf-accent)',
    '--mantine-line-height': '1.45',
  };
  return { variables: {}, light: shared, dark: shared };
};

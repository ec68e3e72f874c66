"""Makes the fonts of this folder: the bold cuts of Noto Sans, cut down to the characters that captions need.

Needs npm, and Python 3 with fontTools 4.38 (Debian: apt-get install python3-fonttools). Run it in this folder:
    python3 make.py
"""
import os
import subprocess
import sys
import tarfile
import tempfile

ascii = ''.join(map(chr, range(0x20, 0x7F)))
# Punctuation, quotes, currencies, and the marks that tell where right-to-left text begins and ends.
common = ascii + ''.join(map(chr, [0xA0, 0xAB, 0xBB, *range(0x2010, 0x2028), 0x2030, 0x2039, 0x203A, 0x20A9, 0x20AA, 0x20AC, 0x20B9, 0x200E, 0x200F, 0x25CC]))
wide = ''.join(map(chr, [*range(0x3000, 0x3040), *range(0xFF01, 0xFF66), 0xFFE5]))
kana = ''.join(map(chr, [*range(0x3041, 0x3100), *range(0x31F0, 0x3200), *range(0xFF66, 0xFFA0)]))
hangul = ''.join(map(chr, [*range(0x3131, 0x318F), *range(0xAC00, 0xD7A4)]))


def table(encoding, rows, columns=range(0xA1, 0xFF)):
    """The characters at these rows and columns of an old double-byte character set."""
    pairs = (bytes([row, column]) for row in rows for column in columns)
    return ''.join(pair.decode(encoding, 'ignore') for pair in pairs)


simplified = table('gb2312', range(0xB0, 0xF8))
# Level 1 of Big5: the traditional characters in common use.
traditional = table('big5', range(0xA4, 0xC7), [*range(0x40, 0x7F), *range(0xA1, 0xFF)])
kanji = table('euc_jp', range(0xB0, 0xD0))

# Package, version, name of the font, characters. None: all of its script, with the tables that shape it.
fonts = [
    ('sc', '0.4.3', 'SC', common + wide + simplified + traditional),
    ('jp', '0.4.3', 'JP', common + wide + kana + kanji),
    ('kr', '0.4.3', 'KR', common + wide + hangul),
    ('arabic', '0.4.3', 'Arabic', None),
    ('hebrew', '0.4.1', 'Hebrew', None),
    ('devanagari', '0.4.1', 'Devanagari', None),
    ('thai', '0.4.2', 'Thai', None),
]

for package, version, name, characters in fonts:
    with tempfile.TemporaryDirectory() as scratch:
        archive = subprocess.run(
            ['npm', 'pack', '--silent', f'@expo-google-fonts/noto-sans-{package}@{version}'],
            cwd=scratch, check=True, capture_output=True, text=True).stdout.strip()
        with tarfile.open(os.path.join(scratch, archive)) as tar:
            tar.extractall(scratch)
        source = os.path.join(scratch, 'package', '700Bold', f'NotoSans{name}_700Bold.ttf')
        if characters is None:
            # Arabic letters, not their thousand ready-made ligatures, which shaping makes where they are wanted.
            which = ['--unicodes=U+0020-06FF,U+0900-097F,U+0E00-0E7F,U+2000-20CF,U+25CC,U+A8E0-A8FF', '--layout-features=*']
        else:
            text = os.path.join(scratch, 'characters.txt')
            with open(text, 'w', encoding='utf-8') as file:
                file.write(characters)
            which = [f'--text-file={text}', '--layout-features=', '--drop-tables+=GSUB,GPOS,GDEF,BASE,vhea,vmtx']
        subprocess.run(
            [sys.executable, '-m', 'fontTools.subset', source, *which, '--no-hinting',
             f'--output-file=NotoSans{name}-Bold.ttf'], check=True)

#!/bin/bash
# Builds the ffmpeg of the container's image from Debian's sources, with Debian's security fixes, and installs it as the given file:
#   bash containers/media/build-ffmpeg.sh /usr/local/bin/ffmpeg
# It knows the formats that the service accepts and writes, and no others: Debian's package has 519 decoders that could be attacked,
# and loads 215 libraries at each start, of which a render has dozens. Needs root, apt and the packages that it installs.
set -euo pipefail

output=$1
build=$(mktemp --directory)
trap 'rm -rf "$build"' EXIT

# What a client sends (lib/ffmpeg/limits.ts). configure calls mov_text movtext.
demuxers=image_png_pipe,image_jpeg_pipe,image_webp_pipe,mov,matroska,wav,mp3,ogg,flac
decoders=png,mjpeg,webp,vp8,vp9,h264,hevc,aac,mp3,mp3float,opus,vorbis,flac,pcm_s16le,pcm_s16be,pcm_s24le,pcm_f32le,movtext,subrip,webvtt
parsers=png,mjpeg,webp,vp8,vp9,h264,hevc,aac,mpegaudio,opus,vorbis,flac
# What the service passes between its own steps, and writes.
demuxers+=,concat,image2,rawvideo
decoders+=,rawvideo
encoders=libx264,aac,mjpeg,rawvideo,pcm_s16le,movtext,webvtt,wrapped_avframe
muxers=mp4,ipod,mov,wav,pcm_s16le,rawvideo,h264,image2,image2pipe,webvtt,framecrc,null
filters=scale,crop,format,fps,setpts,trim,tpad,split,overlay,boxblur,lutyuv,transpose,hflip,vflip,setsar,aresample,aformat,asetpts,atrim,apad
bitstream_filters=aac_adtstoasc,h264_mp4toannexb,hevc_mp4toannexb,extract_extradata,vp9_superframe,vp9_superframe_split

cd "$build"
sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources > /etc/apt/sources.list.d/debian-sources.sources
apt-get update
# nasm assembles for x86 alone.
apt-get install --yes --no-install-recommends dpkg-dev gcc libc6-dev libx264-dev make nasm pkg-config zlib1g-dev
apt-get source ffmpeg
cd ffmpeg-*/
./configure --disable-everything --disable-autodetect --disable-network --disable-doc --disable-debug \
  --disable-ffplay --disable-ffprobe --disable-avdevice --disable-postproc \
  --enable-gpl --enable-libx264 --enable-zlib --extra-ldflags=-static --pkg-config-flags=--static \
  --enable-protocol=file,pipe \
  --enable-demuxer="$demuxers" --enable-decoder="$decoders" --enable-parser="$parsers" \
  --enable-encoder="$encoders" --enable-muxer="$muxers" --enable-filter="$filters" --enable-bsf="$bitstream_filters"

# configure ignores names that it does not know.
require() {
  for name in ${2//,/ }; do
    grep --quiet --no-filename "^#define CONFIG_${name^^}_$1 1$" config*.h || { echo "ffmpeg has no $1 $name." >&2; exit 1; }
  done
}
require DEMUXER "$demuxers"
require DECODER "$decoders"
require PARSER "$parsers"
require ENCODER "$encoders"
require MUXER "$muxers"
require FILTER "$filters"
require BSF "$bitstream_filters"
make --jobs="$(nproc)"
install -D ffmpeg "$output"
